import type { HireDocument } from '#libs/features/hires/views/hires.js';
import { isOpenRole, type RoleDocument, withSeatFreed } from '#libs/features/jobs/views/roles.js';

/** Newest hires of one job that are loaded. */
export const HIRES_MAX = 20;

/** Progress of a job for its poster. The details of `tasks` explain each status. */
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

/** The hire must not have ended. */
export function hireStatus({ delivery, acceptance, paid, budget }: HireDocument): HireStatus {
  if (paid !== null) return 'done';
  if (delivery === null) return 'hired';
  if (acceptance === null) return 'delivered';
  return budget === null ? 'done' : 'unpaid';
}

/**
 * Whether a seat is filled but its hire, in another stream, does not exist yet. Unknown (false) for a job with
 * `HIRES_MAX` hires or more.
 */
export const hasPendingHire = ({ hired }: Pick<RoleDocument, 'hired'>, hires: readonly HireDocument[]): boolean =>
  hires.length < HIRES_MAX && hired.some(worker => hires.every(hire => hire.worker !== worker));

/**
 * Frees the seats of ended hires that the job's stream has not freed yet, so that a job in between does not look
 * closed. `hires`: newest first.
 */
export function withSeatsFreed(role: RoleDocument, hires: readonly HireDocument[]): RoleDocument {
  const freedSeats = role.hired.flatMap(worker => {
    const workerHires = hires.filter(hire => hire.worker === worker);
    const [newest] = workerHires;
    return newest?.ended && workerHires.every(({ ended }) => ended !== null) ? [{ worker, at: newest.ended.at }] : [];
  });
  return freedSeats.reduce(
    (freed, seat) => withSeatFreed(freed, { ...seat, reopens: freed.closed_as === 'filled' }),
    role,
  );
}

/** Statuses that need action by the poster come first. `hires`: newest first. `applicants`: open applications. */
export function taskStatus(
  document: RoleDocument,
  hires: readonly HireDocument[],
  applicants: number,
  now: number,
): TaskStatus {
  const role = withSeatsFreed(document, hires);
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
