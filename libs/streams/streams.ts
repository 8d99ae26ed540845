import { Application } from './application.js';
import { Claim } from './claim.js';
import type { AnyEventType } from './define.js';
import { Hire } from './hire.js';
import { Job } from './job.js';
import { Muse } from './muse.js';
import { Payment } from './payment.js';
import { IssuerKeys } from './service.js';

/** Every kind of stream: which events there are and what an auditor folds follow from this list. */
export const STREAMS = [Muse, Job, Application, Hire, Claim, Payment, IssuerKeys] as const;

const all = STREAMS.flatMap(({ events }) => events);

/** Every event type in its newest version, by name. */
export const EVENT_TYPES: ReadonlyMap<string, AnyEventType> = new Map(all.map(type => [type.type, type]));

/** The declaration of a type; a type that the code does not know is a bug or a log of a newer version. */
export function eventType(type: string): AnyEventType {
  const found = EVENT_TYPES.get(type);
  if (!found) throw new Error(`The event type ${type} is not known to this version.`);
  return found;
}
