import { Applied } from '#libs/features/jobs/domain/application.js';
import type { EventOf } from '#libs/domain/define.js';
import { documentFields, erasedFields, pickFields } from '#libs/domain/fields.js';
import { EscrowOfJob, escrowOfJob } from '#libs/features/jobs/domain/escrow-terms.js';
import { Budget, JOB_TEXTS } from '#libs/features/jobs/domain/job-fields.js';
import { JobClosed, JobPosted, JobUpdated, SeatFilled, SeatFreed, Withdrawn } from '#libs/features/jobs/domain/job.js';
import { sortableAmount } from '#libs/features/identity/views/people.js';
import { guessLanguage } from '#libs/kernel/languages.js';
import { parseUsdAmount } from '#libs/kernel/money.js';
import { Promoted } from '#libs/features/jobs/domain/promoted.js';
import * as d from '#libs/views/document-schema.js';
import { by, onExisting, on, defineProjection } from '#libs/views/projection.js';

export const RoleDocument = d.object({
  slug: d.slug,
  ...documentFields(JOB_TEXTS),
  poster: d.orNull(d.museId),
  house: d.flag,
  project: d.orNull(d.slug),
  again_of: d.orNull(d.slug),
  budget: d.orNull(d.stored(Budget)),
  escrow: d.orNull(d.stored(EscrowOfJob)),
  fee_paid: d.flag,
  seats: d.integer,
  applicants: d.integer,
  hired: d.list(d.museId),
  promoted_until: d.orNull(d.time),
  created_at: d.time,
  expires_at: d.orNull(d.time),
  closed: d.flag,
  /** Set when a closed role opens again. */
  reopened_at: d.orNull(d.time),
  closed_at: d.orNull(d.time),
  closed_reason: d.orNull(d.oneOf('filled', 'closed', 'removed', 'expired')),
  close_note: d.orNull(d.text),
  /** The actor of `JobClosed`. */
  closed_by: d.orNull(d.text),
  /** Position of `JobPosted`; lists are ordered by it. */
  opened: d.position,
  /** Guessed language of the texts; null once erased. */
  lang: d.orNull(d.text),
  /** Wage per seat in US dollars, as a `sortableAmount`; null without pay. */
  pay: d.orNull(d.text),
  /** Falls with `expires_at`: in descending order the next to end is first, and those without an end are last. */
  ends: d.orNull(d.integer),
});
export type RoleDocument = d.DocumentOf<typeof RoleDocument>;

const byRole = by('role');

const OPEN = { closed: false, closed_at: null, closed_reason: null, close_note: null, closed_by: null } as const;

/** Expiry is checked by the query. */
export const Roles = defineProjection('roles', RoleDocument, {
  shape: 'cdacb39f',
  indexes: {
    all: ['house', 'opened'],
    open: ['closed', 'house', 'opened'],
    byPoster: ['poster', 'opened'],
    byCloser: ['closed_by?'],
    byProject: ['project?', 'opened'],
    byPay: ['closed', 'pay', 'opened'],
    byEnd: ['closed', 'ends', 'opened'],
  },
  forgets: {
    by: ['byPoster', 'byCloser'],
    erase: (role, muse) => ({
      ...role,
      ...(role.poster === muse && { ...erasedFields(JOB_TEXTS), lang: null }),
      close_note: role.closed_by === muse ? null : role.close_note,
    }),
  },
  steps: [
    on(JobPosted, byRole, (document, event) => document ?? fromPosted(event)),
    onExisting(JobUpdated, byRole, (document, { data, at }) => {
      const { role: _role, reopens, ...terms } = data;
      return withSortFields({ ...document, ...terms, ...(reopens && { ...OPEN, reopened_at: at }) });
    }),
    onExisting(Applied, byRole, role => ({ ...role, applicants: role.applicants + 1 })),
    onExisting(Withdrawn, byRole, role => ({ ...role, applicants: role.applicants - 1 })),
    onExisting(SeatFilled, byRole, (role, { data }) => ({ ...role, hired: [...role.hired, data.worker] })),
    onExisting(SeatFreed, byRole, (role, { data, at }) => withSeatFreed(role, { ...data, at })),
    onExisting(
      Promoted,
      ({ data }) => (data.role === null ? [] : [data.role]),
      (role, { data }) => ({ ...role, promoted_until: data.until }),
    ),
    onExisting(JobClosed, byRole, (role, { data, at, actor: closed_by }) => {
      const { closed_reason, note: close_note } = data;
      // An expired role is closed from its expiry on, whenever the event is written.
      const closed_at = (data.again && role.closed_at) || (closed_reason === 'expired' && role.expires_at) || at;
      return { ...role, closed: true, closed_at, closed_reason, close_note, closed_by };
    }),
  ],
});

function fromPosted({ data, at, position }: EventOf<typeof JobPosted>): RoleDocument {
  const { role: slug, seats, budget, poster, project, again_of, expires_at, payment } = data;
  const content = { ...pickFields(JOB_TEXTS, data), seats, budget, project, again_of, expires_at };
  const escrow = data.escrow ? escrowOfJob(data.escrow) : null;
  const counts = { applicants: 0, hired: [], promoted_until: null, reopened_at: null };
  const times = { created_at: at, opened: position };
  const house = poster === null;
  return withSortFields({
    slug,
    ...content,
    poster,
    house,
    escrow,
    fee_paid: payment !== null,
    ...counts,
    ...times,
    ...OPEN,
  });
}

type SortField = 'lang' | 'pay' | 'ends';

function withSortFields(role: Omit<RoleDocument, SortField>): RoleDocument {
  const { title, summary, done, terms, budget, expires_at } = role;
  const texts = [title, summary, done, terms].filter(text => text !== null).join(' ');
  const units = budget && parseUsdAmount(budget.usd);
  return {
    ...role,
    lang: texts === '' ? null : guessLanguage(texts),
    pay: units === null ? null : sortableAmount(units),
    ends: expires_at === null ? null : Number.MAX_SAFE_INTEGER - expires_at,
  };
}

export function withSeatFreed(
  role: RoleDocument,
  { worker, reopens, at }: { readonly worker: string; readonly reopens: boolean; readonly at: number },
): RoleDocument {
  const hired = role.hired.filter(museId => museId !== worker);
  return { ...role, ...(reopens && { ...OPEN, reopened_at: at }), hired, applicants: role.applicants - 1 };
}

/** `now` is unix ms. */
export const isOpenRole = (role: RoleDocument, now: number) =>
  !role.closed && (role.expires_at === null || now < role.expires_at);

type TimedRole = Pick<RoleDocument, 'expires_at' | 'promoted_until'>;

/** When the view of these roles may change without an event, unix ms: at their next expiry or end of promotion. */
export function unchangedUntil(roles: readonly TimedRole[], now: number): number {
  const times = roles.flatMap(({ expires_at, promoted_until }) => [expires_at ?? Infinity, promoted_until ?? Infinity]);
  return Math.min(...times.filter(time => time > now));
}

/** `now` is unix ms. */
export function roleView(role: RoleDocument, now: number) {
  const { opened: _opened, closed, closed_by: _by, reopened_at: _reopened, expires_at, ...rest } = role;
  const { lang: _lang, pay: _pay, ends: _ends, ...visible } = rest;
  const expired = !closed && !isOpenRole(role, now);
  const status = closed || expired ? ('closed' as const) : ('open' as const);
  return {
    ...visible,
    status,
    seats_left: Math.max(0, role.seats - role.hired.length),
    expires_at,
    closed_at: expired ? expires_at : role.closed_at,
    closed_reason: expired ? ('expired' as const) : role.closed_reason,
  };
}
