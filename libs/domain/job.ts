import type { EventOf } from '#libs/events/define.js';
import type { JobClosed, JobPosted, SeatFilled } from '#libs/events/job.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';

export type Budget = NonNullable<EventOf<typeof JobPosted>['data']['budget']>;
export type Seat = EventOf<typeof SeatFilled>;

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
  readonly seats: number;
  /** The seats that are taken, by their worker. */
  readonly filled: ReadonlyMap<string, Seat>;
  /** Unix ms; null for a role that does not end by itself. */
  readonly expiresAt: number | null;
}

/** A job or a role of the house, as its stream `job-<slug>` says. Expiry is a matter of the clock: `isOpen`. */
export type Job =
  | { readonly status: 'unknown' }
  | (Posted & { readonly status: 'open' })
  | (Posted & { readonly status: 'closed'; readonly reason: string });

type JobEvent = EventOf<typeof JobPosted> | Seat | EventOf<typeof JobClosed>;

export const Job: Entity<Job> = {
  initial: { status: 'unknown' },
  evolve(state, raw: Event): Job {
    const event = raw as JobEvent;
    if (event.type === 'JobPosted') return posted(event.data);
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'SeatFilled':
        return { ...state, filled: new Map([...state.filled, [event.data.worker, event]]) };
      case 'JobClosed':
        return { ...state, status: 'closed', reason: event.data.closed_reason };
      default:
        event satisfies never;
        return state;
    }
  },
};

function posted(data: EventOf<typeof JobPosted>['data']): Job {
  const { role, poster, title, budget, skills, project, seats, trial, expires_at } = data;
  const terms = {
    role,
    poster,
    title,
    budget,
    skills,
    project,
    seats,
    hasTrial: trial !== null,
    expiresAt: expires_at,
  };
  return { status: 'open', ...terms, filled: new Map() };
}

export const seatsLeft = (job: Posted) => job.seats - job.filled.size;

/** Whether a job takes applications and hires at a time (unix ms). */
export function isOpen(job: Job, at: number): job is Extract<Job, { status: 'open' }> {
  return job.status === 'open' && (job.expiresAt === null || at < job.expiresAt);
}
