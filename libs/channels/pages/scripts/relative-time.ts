import { DAY_MS, HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;
/** Older times are shown as dates. */
const RELATIVE_DAYS_MAX = 7;

/** Shows how long ago a recent time was. Its title keeps the time. */
export function showRelativeTime(node: HTMLTimeElement): void {
  const elapsedMs = Date.now() - Date.parse(node.dateTime);
  if (elapsedMs < 0 || elapsedMs > RELATIVE_DAYS_MAX * DAY_MS) return;
  const [unit, ms] = UNITS.find(([, length]) => elapsedMs >= length) ?? ['minute', MINUTE_MS];
  node.title = node.textContent;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  node.textContent = elapsedMs < MINUTE_MS ? 'just now' : format.format(-Math.floor(elapsedMs / ms), unit);
}
