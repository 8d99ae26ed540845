import { Application } from '#libs/features/jobs/domain/application.js';
import { Claim } from '#libs/domain/claim.js';
import { Connection } from '#libs/features/network/domain/connection.js';
import { Crew } from '#libs/features/crews/domain/crew.js';
import type { EventTypes } from '#libs/kernel/event-type.js';
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

/** Every event type in its newest version, by name. */
export const EVENT_TYPES: EventTypes = new Map(all.map(type => [type.type, type]));
