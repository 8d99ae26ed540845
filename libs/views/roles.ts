import { Applied } from '#libs/streams/application.js';
import type { EventOf } from '#libs/streams/define.js';
import { JobClosed, JobPosted, JobUpdated, SeatFilled, SeatFreed, Withdrawn } from '#libs/streams/job.js';
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
  /** What closed it; `closed_reason` is what the poster said to it, where something was said. */
  readonly closed_as: 'filled' | 'closed' | 'removed' | 'expired' | null;
  readonly closed_reason: string | null;
  /** Where the log opened it: what lists are ordered by. */
  readonly opened: Position;
};

const byRole = ({ data }: { readonly data: { readonly role: string } }) => [data.role];

const OPEN = { closed: false, closed_at: null, closed_as: null, closed_reason: null } as const;

/** A posted job, or a role of the house. Whether it has expired is joined by the query. */
export const Roles = projection<RoleDocument>({
  name: 'roles',
  version: 2,
  indexes: {
    all: ['house', 'opened'],
    open: ['closed', 'house', 'opened'],
    byPoster: ['poster', 'opened'],
    expiring: ['closed', 'expires_at'],
    byProject: ['project', 'opened'],
  },
  steps: [
    on(JobPosted, byRole, (document, event) => document ?? posted(event)),
    change(JobUpdated, byRole, (role, { data }) => {
      const { role: _role, reopens: _reopens, ...terms } = data;
      return { ...role, ...terms, ...(data.reopens && OPEN) };
    }),
    change(Applied, byRole, role => ({ ...role, applicants: role.applicants + 1 })),
    change(Withdrawn, byRole, role => ({ ...role, applicants: role.applicants - 1 })),
    change(SeatFilled, byRole, (role, { data }) => ({ ...role, hired: [...role.hired, data.worker] })),
    change(SeatFreed, byRole, (role, { data }) => {
      const hired = role.hired.filter(worker => worker !== data.worker);
      return { ...role, ...(data.reopens && OPEN), hired, applicants: role.applicants - 1 };
    }),
    change(JobClosed, byRole, (role, { data, at }) => {
      const { closed_reason: closed_as, note } = data;
      // An expired role is closed from its time on, whenever that is written down.
      const closed_at = closed_as === 'expired' ? (role.expires_at ?? at) : at;
      return { ...role, closed: true, closed_at, closed_as, closed_reason: note ?? closed_as };
    }),
  ],
});

function posted({ data, at, position }: EventOf<typeof JobPosted>): RoleDocument {
  const { role: slug, payment, item: _item, ...shown } = data;
  const counts = { applicants: 0, hired: [] };
  const times = { created_at: at, opened: position };
  return { slug, ...shown, house: data.poster === null, fee_paid: payment !== null, ...counts, ...times, ...OPEN };
}

/** Whether a role takes applications at a time (unix ms). */
export const isOpenRole = (role: RoleDocument, now: number) =>
  !role.closed && (role.expires_at === null || now < role.expires_at);

/** A role's record as it is shown at a time (unix ms). */
export function roleRecord(role: RoleDocument, now: number) {
  const { opened: _opened, closed, closed_as: _as, expires_at, ...shown } = role;
  const expired = !closed && !isOpenRole(role, now);
  return {
    ...shown,
    status: closed || expired ? 'closed' : 'open',
    seats_left: Math.max(0, role.seats - role.hired.length),
    promoted_until: null,
    expires_at,
    closed_at: expired ? expires_at : role.closed_at,
    closed_reason: expired ? 'expired' : role.closed_reason,
  };
}
