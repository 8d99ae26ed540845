import type { EventType } from './define.js';
import * as claim from './claim.js';
import * as hire from './hire.js';
import * as job from './job.js';
import * as muse from './muse.js';
import * as payment from './payment.js';
import * as service from './service.js';

/** Every event type in its newest version, by name. */
export const EVENT_TYPES: ReadonlyMap<string, EventType> = new Map(
  [muse, claim, job, hire, payment, service]
    .flatMap(module => Object.values(module) as unknown[])
    .filter((value): value is EventType => typeof value === 'function' && 'seals' in value)
    .map(type => [type.type, type]),
);

/** The declaration of a type; a type that the code does not know is a bug or a log of a newer version. */
export function eventType(type: string): EventType {
  const found = EVENT_TYPES.get(type);
  if (!found) throw new Error(`The event type ${type} is not known to this version.`);
  return found;
}
