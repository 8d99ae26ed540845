import { HOUR_MS } from '#libs/kernel/clock.js';

/** Median of times in ms, in hours, rounded to a hundredth; null for an empty list. */
export function medianHours(times: readonly number[]): number | null {
  if (times.length === 0) return null;
  const sorted = [...times].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const ms = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return Math.round((ms / HOUR_MS) * 100) / 100;
}
