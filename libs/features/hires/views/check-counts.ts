import type { CheckCounts } from '#libs/features/hires/domain/check-counts.js';

/** Null before the first recheck. */
export function checkStateOf(counts: CheckCounts | null): 'held' | 'broke' | 'mixed' | null {
  if (!counts) return null;
  if (counts.broke === 0) return 'held';
  return counts.held === 0 ? 'broke' : 'mixed';
}
