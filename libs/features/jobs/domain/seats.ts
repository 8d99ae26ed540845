import { rule } from '#libs/kernel/refusal.js';
import type { JobData } from './job.js';

/** `identities` are those of an applicant. */
export function assertNoArbiter({ escrow }: JobData, identities: readonly string[]): void {
  const arbiter = escrow?.arbiter ?? null;
  const isArbiter = arbiter !== null && identities.includes(arbiter);
  rule(!isArbiter, 'arbiter_cannot_work', 'The arbiter of a job can neither apply nor be hired for it.');
}

/** Seats that are kept for other workers; `at` is unix ms. */
export const countReserved = ({ reserved = new Map(), filled }: JobData, worker: string, at: number): number =>
  [...reserved.values()].filter(each => each.worker !== worker && !filled.has(each.worker) && at < each.until).length;
