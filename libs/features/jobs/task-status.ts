import type { HireDocument } from '#libs/features/hires/views/hires.js';
import { isOpenRole, type RoleDocument, withSeatFreed } from '#libs/features/jobs/views/roles.js';

/** How many hires of one job are looked at, the newest. */
export const HIRES_MAX = 20;

/**
 * How far a job has come for its poster, and whose turn it is: `open` while nobody has applied, `applied` while
 * applications wait for a choice, `hired` while somebody works on it, `delivered` while something is to be looked at,
 * `unpaid` while a wage is owed for what was accepted, `done`; or over without a result: `closed` by its poster,
 * `expired`, `removed` by the operator, `ended` with its hires.
 */
export const TASK_STATUSES = [
  'open',
  'applied',
  'hired',
  'delivered',
  'unpaid',
  'done',
  'closed',
  'expired',
  'removed',
  'ended',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
type HireStatus = Extract<TaskStatus, 'hired' | 'delivered' | 'unpaid' | 'done'>;

/** Of one hire that has not ended. */
export function hireStatus({ delivery, acceptance, paid, budget }: HireDocument): HireStatus {
  if (paid !== null) return 'done';
  if (delivery === null) return 'hired';
  if (acceptance === null) return 'delivered';
  return budget === null ? 'done' : 'unpaid';
}

/**
 * Whether somebody has a seat and no hire yet: two streams say that, one after the other, and between them the job may be
 * closed already. `hires`: the newest; of a job with more it is not known.
 */
export const hasPendingHire = ({ hired }: Pick<RoleDocument, 'hired'>, hires: readonly HireDocument[]): boolean =>
  hires.length < HIRES_MAX && hired.some(worker => hires.every(hire => hire.worker !== worker));

/**
 * A role with the seats free whose hires have ended: two streams say that, one after the other, and between them a job
 * that was closed as filled seems over, and opens again. `hires`: the newest.
 */
export function withSeatsFreed(role: RoleDocument, hires: readonly HireDocument[]): RoleDocument {
  const left = role.hired.flatMap(worker => {
    const own = hires.filter(hire => hire.worker === worker);
    const [newest] = own;
    return newest?.ended && own.every(({ ended }) => ended !== null) ? [{ worker, at: newest.ended.at }] : [];
  });
  return left.reduce((freed, seat) => withSeatFreed(freed, { ...seat, reopens: freed.closed_as === 'filled' }), role);
}

/** What waits for the poster comes first. `hires`: the newest. `applicants`: how many wait for a choice. */
export function taskStatus(
  found: RoleDocument,
  hires: readonly HireDocument[],
  applicants: number,
  now: number,
): TaskStatus {
  const role = withSeatsFreed(found, hires);
  const statuses = new Set(hires.filter(({ ended }) => ended === null).map(hireStatus));
  const isOpen = isOpenRole(role, now);
  if (statuses.has('delivered')) return 'delivered';
  if (statuses.has('unpaid')) return 'unpaid';
  if (isOpen && applicants > 0) return 'applied';
  if (statuses.has('hired') || hasPendingHire(role, hires)) return 'hired';
  if (isOpen) return statuses.size > 0 ? 'hired' : 'open';
  if (statuses.has('done')) return 'done';
  return hires.length > 0 ? 'ended' : endOf(role);
}

function endOf({ closed, closed_as }: RoleDocument): TaskStatus {
  if (!closed || closed_as === null) return 'expired';
  return closed_as === 'filled' ? 'ended' : closed_as;
}
