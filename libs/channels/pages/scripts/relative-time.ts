const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** Older times are shown as dates. */
const RELATIVE_DAYS_MAX = 7;

/** Shows how long ago a recent time was. Its title keeps the time. */
export function showRelativeTime(node: HTMLTimeElement): void {
  const elapsedMs = Date.now() - Date.parse(node.dateTime);
  if (elapsedMs < 0 || elapsedMs > RELATIVE_DAYS_MAX * UNITS[0][1]) return;
  const [unit, ms] = UNITS.find(([, length]) => elapsedMs >= length) ?? ['minute', 60_000];
  node.title = node.textContent;
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  node.textContent = elapsedMs < UNITS[2][1] ? 'just now' : format.format(-Math.floor(elapsedMs / ms), unit);
}
