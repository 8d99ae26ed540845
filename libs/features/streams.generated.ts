// Made by `npm run generate` from the domain folders.
import { Claim } from '#libs/domain/claim.js';
import { Muse } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import { IssuerKeys } from '#libs/domain/service.js';
import { Crew } from '#libs/features/crews/domain/crew.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { Reaction } from '#libs/features/feed/domain/reaction.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Inbox } from '#libs/features/inbox/domain/inbox.js';
import { Instant } from '#libs/features/instant/domain/instant.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Message } from '#libs/features/messages/domain/message.js';
import { Connection } from '#libs/features/network/domain/connection.js';
import { Endorsement } from '#libs/features/network/domain/endorsement.js';
import { Views } from '#libs/features/profile/domain/views.js';
import { Project } from '#libs/features/projects/domain/project.js';
import { Webhooks } from '#libs/features/webhooks/domain/webhook.js';

/** Every kind of stream: the event types and the states that an auditor folds follow from this list. */
export const STREAMS = [
  Claim,
  Muse,
  Payment,
  IssuerKeys,
  Crew,
  Post,
  Reaction,
  Hire,
  Inbox,
  Instant,
  Application,
  Job,
  Message,
  Connection,
  Endorsement,
  Views,
  Project,
  Webhooks,
] as const;
