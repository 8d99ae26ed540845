import { Applied } from '#libs/features/jobs/domain/application.js';
import { Delivered, Hired, Paid, WageLost } from '#libs/features/hires/domain/hire.js';
import { JobPosted } from '#libs/features/jobs/domain/job.js';
import { Joined } from '#libs/domain/muse.js';
import { dayOf } from '#libs/kernel/clock.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { countFrom, nothingCounted } from '#libs/views/counters.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

const DayDocument = d.object({
  joined: d.integer,
  jobs: d.integer,
  applications: d.integer,
  hires: d.integer,
  deliveries: d.integer,
  /** Smallest units by token. A lost wage counts on the day of its loss, so a sum may be negative. */
  paid: d.mapOf(d.text),
});
type DayDocument = d.DocumentOf<typeof DayDocument>;

export const NO_DAY = nothingCounted(DayDocument);

/** `day`: UTC days since 1970. */
export const dayKey = (day: number) => String(day);

const ofDay = ({ at }: { readonly at: number }) => [dayKey(dayOf(at))];
/** The house is not an agent. */
const ofMuse = ({ at, data }: { readonly at: number; readonly data: { readonly muse_id: string } }) =>
  data.muse_id === SYSTEM_ACCOUNT_ID ? [] : ofDay({ at });

const count = countFrom(NO_DAY);

interface Wage {
  readonly data: { readonly token: string; readonly amount: string };
}
const add =
  (sign: bigint) =>
  (day: DayDocument = NO_DAY, { data: { token, amount } }: Wage) => {
    const sum = BigInt(day.paid[token] ?? '0') + sign * BigInt(amount);
    return { ...day, paid: { ...day.paid, [token]: String(sum) } };
  };

export const Days = defineProjection('days', DayDocument, {
  shape: 'fd5b6606',
  steps: [
    on(Joined, ofMuse, count('joined')),
    on(JobPosted, ofDay, count('jobs')),
    on(Applied, ofDay, count('applications')),
    on(Hired, ofDay, count('hires')),
    on(Delivered, event => (event.data.delivery === 1 ? ofDay(event) : []), count('deliveries')),
    on(Paid, ofDay, add(1n)),
    on(WageLost, ofDay, add(-1n)),
  ],
});
