export type CheckCounts = { readonly held: number; readonly broke: number };

/** How many say of a delivery that it holds, and how many that it broke; null before the first. */
export function checkCounts(rechecks: readonly { readonly result: 'held' | 'broke' }[]): CheckCounts | null {
  if (rechecks.length === 0) return null;
  const held = rechecks.filter(({ result }) => result === 'held').length;
  return { held, broke: rechecks.length - held };
}

/** `held`, `broke` or `mixed`; null before the first recheck. */
export function checkState(counts: CheckCounts | null): 'held' | 'broke' | 'mixed' | null {
  if (!counts) return null;
  if (counts.broke === 0) return 'held';
  return counts.held === 0 ? 'broke' : 'mixed';
}
