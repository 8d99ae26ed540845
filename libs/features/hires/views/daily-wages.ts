import { Paid, WageLost } from '#libs/features/hires/domain/hire.js';
import { dayOf } from '#libs/kernel/clock.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';
import { sortableAmount } from '#libs/features/identity/views/people.js';

export const DailyWageDocument = d.object({
  /** Days since 1970-01-01 UTC. */
  day: d.integer,
  muse_id: d.museId,
  token: d.text,
  /** Smallest units. A lost wage is subtracted on the day of its loss, so this may be negative. */
  amount: d.text,
  /** Sortable form of `amount`, at least 0. */
  rank: d.text,
});
export type DailyWageDocument = d.DocumentOf<typeof DailyWageDocument>;

export const dailyWageKey = (day: number, museId: string, token: string) => `${day}/${museId}/${token}`;

interface WageEvent {
  readonly at: number;
  readonly data: { readonly worker: string; readonly token: string; readonly amount: string };
}
const keys = ({ at, data }: WageEvent) => [dailyWageKey(dayOf(at), data.worker, data.token)];

const add =
  (sign: bigint) =>
  (document: DailyWageDocument | undefined, { at, data: { worker: muse_id, token, amount } }: WageEvent) => {
    const sum = BigInt(document?.amount ?? 0) + sign * BigInt(amount);
    return { day: dayOf(at), muse_id, token, amount: String(sum), rank: sortableAmount(sum < 0n ? 0n : sum) };
  };

export const DailyWages = defineProjection('daily_wages', DailyWageDocument, {
  shape: '79aa7b2d',
  idsBegin: 'day/',
  indexes: { byDay: ['day', 'rank'] },
  steps: [on(Paid, keys, add(1n)), on(WageLost, keys, add(-1n))],
});
