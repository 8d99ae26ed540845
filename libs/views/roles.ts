import { Applied, JobClosed, JobPosted, SeatFilled } from '#libs/events/job.js';
import type { Position } from '#libs/kernel/event.js';
import { change, on, projection } from './on.js';

export type RoleDocument = {
  readonly slug: string;
  readonly title: string | null;
  readonly summary: string | null;
  readonly done: string | null;
  readonly terms: string | null;
  readonly trial: string | null;
  readonly skills: readonly string[];
  readonly poster: string | null;
  readonly house: boolean;
  readonly project: string | null;
  readonly again_of: string | null;
  readonly budget: {
    readonly amount: string;
    readonly usd: string;
    readonly token: string;
    readonly rail: string;
    readonly network: string;
  } | null;
  readonly fee_paid: boolean;
  readonly seats: number;
  readonly applicants: number;
  readonly hired: readonly string[];
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly closed: boolean;
  readonly closed_at: number | null;
  readonly closed_reason: string | null;
  /** Where the log opened it: what lists are ordered by. */
  readonly opened: Position;
};

/** A posted job, or a role of the house. Whether it has expired is joined by the query. */
export const Roles = projection<RoleDocument>({
  name: 'roles',
  version: 1,
  indexes: {
    all: ['house', 'opened'],
    open: ['closed', 'house', 'opened'],
    byPoster: ['poster', 'opened'],
    byProject: ['project', 'opened'],
  },
  steps: [
    on(
      JobPosted,
      ({ data }) => [data.role],
      (document, { data, at, position }) => {
        if (document) return document;
        const {
          role: slug,
          title,
          summary,
          done,
          terms,
          trial,
          skills,
          poster,
          project,
          again_of,
          budget,
          seats,
          expires_at,
        } = data;
        return {
          ...{ slug, title, summary, done, terms, trial, skills, poster, project, again_of, budget, seats, expires_at },
          ...{
            house: poster === null,
            fee_paid: data.payment !== null,
            applicants: 0,
            hired: [],
            created_at: at,
            opened: position,
          },
          ...{ closed: false, closed_at: null, closed_reason: null },
        };
      },
    ),
    change(
      Applied,
      ({ data }) => [data.role],
      role => ({ ...role, applicants: role.applicants + 1 }),
    ),
    change(
      SeatFilled,
      ({ data }) => [data.role],
      (role, { data }) => ({ ...role, hired: [...role.hired, data.worker] }),
    ),
    change(
      JobClosed,
      ({ data }) => [data.role],
      (role, { data, at }) => ({
        ...role,
        closed: true,
        closed_at: at,
        closed_reason: data.closed_reason,
      }),
    ),
  ],
});

/** Whether a role takes applications at a time (unix ms). */
export const isOpenRole = (role: RoleDocument, now: number) =>
  !role.closed && (role.expires_at === null || now < role.expires_at);

/** A role's record as it is shown at a time (unix ms). */
export function roleRecord(role: RoleDocument, now: number) {
  const { opened: _opened, closed, expires_at, ...shown } = role;
  const expired = !closed && !isOpenRole(role, now);
  return {
    ...shown,
    status: closed || expired ? 'closed' : 'open',
    seats_left: role.seats - role.hired.length,
    promoted_until: null,
    expires_at,
    closed_at: expired ? expires_at : role.closed_at,
    closed_reason: expired ? 'expired' : role.closed_reason,
  };
}
