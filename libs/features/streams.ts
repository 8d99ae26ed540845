import { Application } from '#libs/features/jobs/domain/application.js';
import { Claim } from '#libs/domain/claim.js';
import { Connection } from '#libs/features/network/domain/connection.js';
import { Crew } from '#libs/features/crews/domain/crew.js';
import type { AnyEventType, Shape } from '#libs/domain/define.js';
import { Endorsement } from '#libs/features/network/domain/endorsement.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Inbox } from '#libs/features/inbox/domain/inbox.js';
import { Instant } from '#libs/features/instant/domain/instant.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Message } from '#libs/features/messages/domain/message.js';
import { Muse } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { Project } from '#libs/features/projects/domain/project.js';
import { Reaction } from '#libs/features/feed/domain/reaction.js';
import { IssuerKeys } from '#libs/domain/service.js';
import { Views } from '#libs/features/profile/domain/views.js';
import { Webhooks } from '#libs/features/webhooks/domain/webhook.js';

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
