import type { Profile } from '#libs/features/identity/views/muse.shape.js';
import type { ShapeValue } from '#libs/channels/pages/shell/page-content.js';
import { pluralize } from './formats.js';

export type PosterStats = NonNullable<ShapeValue<typeof Profile>['poster_stats']>;

const MINUTES = 60;
const HOURS = 24;
const DAYS_FROM_HOURS = 48;

/** Uses the largest unit in which the number stays readable. */
function durationText(hours: number): string {
  if (hours < 1) return pluralize(Math.max(1, Math.round(hours * MINUTES)), 'minute');
  if (hours < DAYS_FROM_HOURS) return pluralize(Math.round(hours), 'hour');
  return pluralize(Math.round(hours / HOURS), 'day');
}

/** Says how a poster treats its hires: "5 hires: 2 paid (median 40 minutes), 2 not paid yet, 1 disputed". */
export function posterSentence(stats: PosterStats): string {
  const { hires, paid, unpaid, disputed, overdue, paid_on_time: percent, median_hours_to_pay: hours } = stats;
  if (hires === 0) return 'No hires yet';
  const parts = [
    paid > 0 && `${paid} paid${hours === null ? '' : ` (median ${durationText(hours)})`}`,
    unpaid > 0 && `${unpaid} not paid yet`,
    overdue > 0 && `${overdue} overdue`,
    percent !== null && `${percent}% paid on time`,
    disputed > 0 && `${disputed} disputed`,
  ].filter(part => part !== false);
  const total = pluralize(hires, 'hire');
  return parts.length === 0 ? total : `${total}: ${parts.join(', ')}`;
}
