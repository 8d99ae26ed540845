import type { EventOf } from '#libs/events/define.js';
import type { JobClosed, JobPosted, JobUpdated, SeatFilled, SeatFreed, Withdrawn } from '#libs/events/job.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';
import type { Application } from './application.js';

export type Budget = NonNullable<EventOf<typeof JobPosted>['data']['budget']>;
export type Seat = EventOf<typeof SeatFilled>;

/** What a role says of itself; texts are null once they were erased. */
export type JobTerms = Omit<EventOf<typeof JobUpdated>['data'], 'role' | 'reopens'>;

interface Posted {
  readonly role: string;
  /** Null for a role of the house. */
  readonly poster: string | null;
  /** Null once it was erased. */
  readonly title: string | null;
  readonly budget: Budget | null;
  readonly skills: readonly string[];
  readonly project: string | null;
  readonly hasTrial: boolean;
  readonly terms: JobTerms;
  readonly seats: number;
  /** The seats that are taken, by their worker. */
  readonly filled: ReadonlyMap<string, Seat>;
  /** Applications that ended, withdrawn or hired on: each muse's last one, by its feed item. */
  readonly endedApplications: ReadonlyMap<string, number>;
  /** Unix ms; null for a role that does not end by itself. */
  readonly expiresAt: number | null;
}

/** A job or a role of the house, as its stream `job-<slug>` says. Expiry is a matter of the clock: `isOpen`. */
export type Job =
  | { readonly status: 'unknown' }
  | (Posted & { readonly status: 'open' })
  | (Posted & { readonly status: 'closed'; readonly reason: EventOf<typeof JobClosed>['data']['closed_reason'] });

type JobEvent =
  | EventOf<typeof JobPosted>
  | EventOf<typeof JobUpdated>
  | EventOf<typeof Withdrawn>
  | Seat
  | EventOf<typeof SeatFreed>
  | EventOf<typeof JobClosed>;

export const Job: Entity<Job> = {
  initial: { status: 'unknown' },
  evolve(state, raw: Event): Job {
    const event = raw as JobEvent;
    if (event.type === 'JobPosted') return posted(event.data);
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'JobUpdated':
        return updated(state, event.data);
      case 'Withdrawn':
        return { ...state, endedApplications: ended(state, event.data.muse_id, event.data.application) };
      case 'SeatFilled': {
        const { worker, application } = event.data;
        const endedApplications = ended(state, worker, application);
        return { ...state, endedApplications, filled: new Map([...state.filled, [worker, event]]) };
      }
      case 'SeatFreed':
        return freed(state, event.data);
      case 'JobClosed':
        return { ...state, status: 'closed', reason: event.data.closed_reason };
      default:
        event satisfies never;
        return state;
    }
  },
};

function posted(data: EventOf<typeof JobPosted>['data']): Job {
  const { role, poster, project, expires_at } = data;
  const basis = { role, poster, project, expiresAt: expires_at, ...said(data) };
  return { status: 'open', ...basis, filled: new Map(), endedApplications: new Map() };
}

function said({ title, summary, done, trial, terms, skills, seats, budget }: JobTerms) {
  const all = { title, summary, done, trial, terms, skills, seats, budget };
  return { title, budget, skills, seats, hasTrial: trial !== null, terms: all };
}

function updated(job: Exclude<Job, { status: 'unknown' }>, data: EventOf<typeof JobUpdated>['data']): Job {
  const changed = { ...job, ...said(data) };
  return data.reopens ? opened(changed) : changed;
}

function opened(job: Posted & { readonly reason?: string }): Job {
  const { reason: _reason, ...open } = job;
  return { ...open, status: 'open' };
}

const ended = (job: Posted, muse: string, application: number) =>
  new Map([...job.endedApplications, [muse, application]]);

function freed(job: Exclude<Job, { status: 'unknown' }>, { worker, reopens }: EventOf<typeof SeatFreed>['data']): Job {
  const filled = new Map([...job.filled].filter(([taken]) => taken !== worker));
  return reopens ? opened({ ...job, filled }) : { ...job, filled };
}

export const seatsLeft = (job: Posted) => job.seats - job.filled.size;

/** Whether a job takes applications and hires at a time (unix ms). */
export function isOpen(job: Job, at: number): job is Extract<Job, { status: 'open' }> {
  return job.status === 'open' && (job.expiresAt === null || at < job.expiresAt);
}

/** Whether an application stands: it was made, and neither withdrawn nor hired on since. */
export function stillApplies(
  job: Posted,
  application: Application,
): application is Extract<Application, { status: 'applied' }> {
  return application.status === 'applied' && job.endedApplications.get(application.muse) !== application.item;
}
