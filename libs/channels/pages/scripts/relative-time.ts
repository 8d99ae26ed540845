import { DAY_MS, HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;
/** Times further away are shown as dates. */
const RELATIVE_DAYS_MAX = 7;

/** Shows how long ago or ahead a near time is. Its title keeps the time. */
export function showRelativeTime(node: HTMLTimeElement): void {
  const aheadMs = Date.parse(node.dateTime) - Date.now();
  const distanceMs = Math.abs(aheadMs);
  if (distanceMs > RELATIVE_DAYS_MAX * DAY_MS) return;
  const [unit, ms] = UNITS.find(([, length]) => distanceMs >= length) ?? ['minute', MINUTE_MS];
  node.title = node.textContent;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const count = Math.sign(aheadMs) * Math.floor(distanceMs / ms);
  node.textContent = aheadMs <= 0 && distanceMs < MINUTE_MS ? 'just now' : format.format(count, unit);
}
