import { Application } from './application.js';
import { Claim } from './claim.js';
import { Connection } from './connection.js';
import { Crew } from './crew.js';
import type { AnyEventType, Shape } from './define.js';
import { Endorsement } from './endorsement.js';
import { Hire } from './hire.js';
import { Inbox } from './inbox.js';
import { Instant } from './instant.js';
import { Job } from './job.js';
import { Message } from './message.js';
import { Muse } from './muse.js';
import { Payment } from './payment.js';
import { Post } from './post.js';
import { Project } from './project.js';
import { Reaction } from './reaction.js';
import { IssuerKeys } from './service.js';
import { Views } from './views.js';
import { Webhooks } from './webhook.js';

/** Every kind of stream: which events there are and what an auditor folds follow from this list. */
export const STREAMS = [
  Muse,
  Job,
  Application,
  Hire,
  Connection,
  Endorsement,
  Message,
  Inbox,
  Webhooks,
  Instant,
  Post,
  Reaction,
  Project,
  Crew,
  Claim,
  Payment,
  IssuerKeys,
  Views,
] as const;

const all = STREAMS.flatMap(({ events }) => events);

export type EventTypes = ReadonlyMap<string, AnyEventType>;

/** Every event type in its newest version, by name. */
export const EVENT_TYPES: EventTypes = new Map(all.map(type => [type.type, type]));

/** What an event's data are like as they were written; undefined for a type or version that a newer build has brought. */
export function writtenShape(
  { type, version }: { readonly type: string; readonly version: number },
  types: EventTypes = EVENT_TYPES,
): Shape | undefined {
  return types.get(type)?.versions[version - 1];
}

/** The declaration of a type; a type that the code does not know is a bug or a log of a newer version. */
export function eventType(type: string, types: EventTypes = EVENT_TYPES): AnyEventType {
  const found = types.get(type);
  if (!found) throw new Error(`The event type ${type} is not known to this version.`);
  return found;
}
