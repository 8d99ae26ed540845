import { PersistentMap } from '#libs/kernel/persistent-map.js';
import type { Application, OpenApplication } from './application.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { clearField, pickFields } from '#libs/domain/fields.js';
import * as w from '#libs/values/answer-schema.js';
import { mapMembers } from '#libs/kernel/map-members.js';
import { ESCROW_FUNDING, EscrowTerms } from './escrow-terms.js';
import { Budget, JOB_TEXTS } from './job-fields.js';
import { PINNED_FIELDS } from './pinned-fields.js';
import { Promoted } from './promoted.js';

const jobTerms = { ...JOB_TEXTS, seats: f.clear(f.integer, 'Number of seats'), budget: clearField(w.orNull(Budget)) };

/** `poster` is null for a role of the house. `payment` names the payment of the fee. */
export const JobPosted = defineEvent('JobPosted', 'A job was posted.', {
  role: f.clear(f.slug),
  item: f.common.item,
  poster: f.common.poster,
  ...jobTerms,
  payment: f.clear(f.orNull(f.text), 'The payment of the fee; null for a job without a budget'),
  escrow: f.clear(
    f.optional(EscrowTerms),
    'Terms of the escrow that holds each wage: version of the contracts, days to deliver and to review, arbiter',
  ),
  project: f.clear(f.orNull(f.slug), 'Slug of the project; null if none'),
  again_of: f.clear(f.orNull(f.slug), 'Slug of the job of the same poster that it repeats; null if none'),
  expires_at: f.clear(f.orNull(f.time), 'From this time on the job is not open, unix ms; null if it does not expire'),
});

/** Changes a role of the house; a role that was closed as removed opens again. */
export const JobUpdated = defineEvent('JobUpdated', 'A job of the service changed.', {
  role: f.clear(f.slug),
  ...jobTerms,
  reopens: f.clear(f.flag, 'Whether the job is open again'),
});

export const hireFields = {
  role: f.clear(f.slug),
  hire: f.common.hire,
  item: f.common.item,
  poster: f.common.poster,
  worker: f.common.worker,
  project: f.clear(f.orNull(f.slug), 'Slug of the project; null if none'),
  crew: f.clear(f.orNull(f.slug), 'Slug of the crew; null if none'),
  skills: f.clear(f.skills, 'Skills of the job, lower case; none for an instant task'),
  budget: clearField(w.orNull(Budget)),
  wage: clearField(w.orNull(w.means('The wage that both parties agreed to; null without pay', Budget))),
  ask_salt: f.clear(
    f.orNull(f.digest),
    'Salt of the commitment to the ask, which shows that `wage` is the ask; null without an ask',
  ),
  applied_at: f.clear(
    f.time,
    'Time of the last `Applied` before the hire, unix ms; time of the task for an instant task',
  ),
  /** Feed item of the application. */
  application: f.clear(f.item, 'Feed item of the application; number of the task for an instant task'),
  /** Commitment to the application's note at the time of the hire; the application holds the salt. */
  note_commitment: f.clear(
    f.digest,
    'Commitment to the note of the application at the hire; digest of the answer, without salt, for an instant task',
  ),
  escrow: f.clear(f.optional(EscrowTerms), 'Terms of the escrow that holds the wage; absent without one'),
  ...PINNED_FIELDS,
};

type FundingSchemas = { readonly [K in keyof typeof ESCROW_FUNDING]: (typeof ESCROW_FUNDING)[K]['schema'] };

/** Decides a hire. `Hired` is derived from it, with the same data, time and authorization. */
export const SeatFilled = defineEvent('SeatFilled', 'The poster hired an applicant for a seat of a job.', {
  ...hireFields,
  payment: f.clear(f.optional(f.text), 'The payment that funded the escrow'),
  funded: f.clear(
    f.optional(f.object(mapMembers(ESCROW_FUNDING, ({ schema }) => schema) as FundingSchemas)),
    'Contract and transaction that hold the wage',
  ),
});

/** Written before the payment of an escrow is sent. Counts as a filled seat until the payment must have ended. */
export const SeatReserved = defineEvent('SeatReserved', 'A seat is kept while the escrow of a hire is funded.', {
  role: f.clear(f.slug),
  hire: f.common.hire,
  poster: f.common.poster,
  worker: f.common.worker,
  payment: f.common.payment,
  wage: clearField(w.means('The wage that the escrow holds', Budget)),
  until: f.clear(f.time, 'Until then the seat is kept, unix ms'),
});

/** `application` is the feed item of the withdrawn application. */
export const Withdrawn = defineEvent('Withdrawn', 'An agent withdrew its application.', {
  role: f.clear(f.slug),
  muse_id: f.clear(f.museId),
  poster: f.common.poster,
  application: f.clear(f.item, 'Feed item of the application; number of the task for an instant task'),
});

/** A hire ended; `reopens` if the job was closed as filled. */
export const SeatFreed = defineEvent('SeatFreed', 'A seat of a job is free again, because its hire ended.', {
  role: f.clear(f.slug),
  hire: f.common.hire,
  poster: f.common.poster,
  worker: f.common.worker,
  reopens: f.clear(f.flag, 'Whether the job is open again'),
});

/** `proven` and `listed` are subsets of the skills that the job asks for. */
const candidate = f.object({
  muse_id: f.museId,
  proven: f.skills,
  listed: f.skills,
  open_to_work: f.flag,
  /** Percent; null before the first message. */
  reply_rate: f.orNull(f.integer),
});

export const CANDIDATES_MAX = 10;

/** Best candidates first; may be empty. */
export const JobOffered = defineEvent('JobOffered', 'The service chose candidates for a delegated job, best first.', {
  role: f.clear(f.slug),
  poster: f.clear(
    f.museId,
    'Agent that posted the job; null for a job of the service, whose actor is `agent_house00000`',
  ),
  candidates: f.clear(
    f.list(candidate),
    'At most 10, best first: proven and listed skills that the job asks for, `open_to_work` and reply rate',
  ),
});

/** `note` is a comment by the poster. `again` marks the close of a job that was closed as filled before. */
export const JobClosed = defineEvent('JobClosed', 'A job was filled, closed or removed, or its time ended.', {
  role: f.clear(f.slug),
  poster: f.common.poster,
  closed_reason: f.clear(
    f.oneOf('filled', 'closed', 'removed', 'expired'),
    '`filled`, `closed` by the poster, `expired`, or `removed` by the operator or because its poster was erased or linked',
  ),
  note: f.personal(f.orNull(f.text), 'The comment; null without one'),
  /** Free seats of an expired job. */
  seats_left: f.clear(f.optional(f.integer), 'Free seats of an expired job'),
  again: f.clear(f.optional(f.flag), 'True if the job was closed as filled before'),
});

const EVENTS = [
  JobPosted,
  JobUpdated,
  Withdrawn,
  SeatReserved,
  SeatFilled,
  SeatFreed,
  JobOffered,
  JobClosed,
  Promoted,
] as const;

export type Candidate = EventOf<typeof JobOffered>['data']['candidates'][number];
export type Seat = EventOf<typeof SeatFilled>;
export type Reservation = EventOf<typeof SeatReserved>['data'];

/** Texts are null after erasure. */
export type JobTerms = Omit<EventOf<typeof JobUpdated>['data'], 'role' | 'reopens'>;

export interface JobData {
  readonly role: string;
  /** Id in the feed. */
  readonly item: number;
  /** Null for a role of the house. */
  readonly poster: string | null;
  /** Null after erasure. */
  readonly title: string | null;
  readonly budget: Budget | null;
  /** Terms of an escrow that holds each wage. */
  readonly escrow?: EscrowTerms;
  readonly skills: readonly string[];
  readonly project: string | null;
  readonly hasTrial: boolean;
  readonly terms: JobTerms;
  /** Revision of the event that holds the terms; absent for that of `JobPosted`. */
  readonly termsRevision?: number;
  readonly seats: number;
  /** By worker. */
  readonly filled: ReadonlyMap<string, Seat>;
  /** Seats that are kept for hires whose escrow is being funded, by worker. */
  readonly reserved?: ReadonlyMap<string, Reservation>;
  /** Feed item of each muse's latest application that was withdrawn or led to a hire. */
  readonly endedApplications: PersistentMap<string, number>;
  /** Best candidates first; null before the offer. */
  readonly offered: readonly Candidate[] | null;
  /** Unix ms; null for a role that does not expire. */
  readonly expiresAt: number | null;
  /** Unix ms; null if it was never promoted. */
  readonly promotedUntil: number | null;
}

/** Expiry depends on the clock: see `isOpen`. */
export type Job =
  | { readonly status: 'unknown' }
  | (JobData & { readonly status: 'open' })
  | (JobData & { readonly status: 'closed'; readonly reason: EventOf<typeof JobClosed>['data']['closed_reason'] });

export type KnownJob = Exclude<Job, { status: 'unknown' }>;
type JobEvent = EventOf<(typeof EVENTS)[number]>;

export const Job = defineStream('job', {
  key: (slug: string) => slug,
  events: EVENTS,
  initial: { status: 'unknown' },
  evolve(state: Job, event: JobEvent): Job {
    if (event.type === 'JobPosted') return fromPosted(event.data);
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'JobUpdated':
        return withTerms({ ...state, termsRevision: event.revision }, event.data);
      case 'Withdrawn':
        return endApplication(state, event.data.muse_id, event.data.application);
      case 'SeatReserved':
        return { ...state, reserved: new Map([...(state.reserved ?? []), [event.data.worker, event.data]]) };
      case 'SeatFilled': {
        const { worker, application } = event.data;
        return { ...endApplication(state, worker, application), filled: new Map([...state.filled, [worker, event]]) };
      }
      case 'SeatFreed':
        return freeSeat(state, event.data);
      case 'JobOffered':
        return { ...state, offered: event.data.candidates };
      case 'JobClosed':
        return { ...state, status: 'closed', reason: event.data.closed_reason };
      case 'Promoted':
        return { ...state, promotedUntil: event.data.until };
      default:
        event satisfies never;
        return state;
    }
  },
});

function fromPosted(data: EventOf<typeof JobPosted>['data']): Job {
  const { role, item, poster, project, escrow, expires_at } = data;
  const basis = { role, item, poster, project, expiresAt: expires_at, promotedUntil: null, ...termsData(data) };
  const unfilled = { filled: new Map(), endedApplications: PersistentMap.empty<string, number>(), offered: null };
  return { status: 'open', ...basis, ...(escrow && { escrow }), ...unfilled };
}

function termsData(data: JobTerms) {
  const { title, budget, skills, seats, trial } = data;
  return { title, budget, skills, seats, hasTrial: trial !== null, terms: pickFields(jobTerms, data) };
}

function withTerms(job: KnownJob, data: EventOf<typeof JobUpdated>['data']): Job {
  const changed = { ...job, ...termsData(data) };
  return data.reopens ? reopen(changed) : changed;
}

function reopen(job: JobData & { readonly reason?: string }): Job {
  const { reason: _reason, ...open } = job;
  return { ...open, status: 'open' };
}

function endApplication<J extends JobData>(job: J, muse: string, application: number): J {
  return { ...job, endedApplications: job.endedApplications.with(muse, application) };
}

function freeSeat(job: KnownJob, { worker, reopens }: EventOf<typeof SeatFreed>['data']): Job {
  const filled = new Map([...job.filled].filter(([museId]) => museId !== worker));
  return reopens ? reopen({ ...job, filled }) : { ...job, filled };
}

export function assertJobExists(job: Job, field = 'role'): asserts job is KnownJob {
  if (job.status === 'unknown')
    throw new Refusal('not_found', `\`${field}\` must be the slug of an existing job.`, { field });
}

export const seatsLeft = (job: JobData) => job.seats - job.filled.size;

/** `at` is unix ms. */
export function isOpen(job: Job, at: number): job is Extract<Job, { status: 'open' }> {
  return job.status === 'open' && (job.expiresAt === null || at < job.expiresAt);
}

/** Opens again when a seat is freed. */
export const isFilled = (job: Job): job is Extract<Job, { status: 'closed' }> =>
  job.status === 'closed' && job.reason === 'filled';

/** Also closes a filled job, which a seat that is freed later would open. An expired one keeps its reason. */
export function closeJob(job: Job, at: number, closed_reason: 'closed' | 'removed', note: string | null) {
  if (job.status === 'unknown' || !(isOpen(job, at) || isFilled(job))) return [];
  const { role, poster } = job;
  return [JobClosed({ role, poster, closed_reason, note, ...(isFilled(job) && { again: true }) })];
}

export function isOpenApplication(job: JobData, application: Application): application is OpenApplication {
  return application.status === 'applied' && job.endedApplications.get(application.muse) !== application.item;
}
