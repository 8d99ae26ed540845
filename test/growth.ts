const ROUNDS = 4;
/** Costs below this, in µs, are noise: a linear scan of thousands exceeds it by far. */
const FLOOR_US = 100;
/** Maximum of rounds on a busy machine. */
const ROUNDS_MAX = 24;

/**
 * Cost of one call at size 10n divided by the cost at size n: about 1 if constant, 10 if linear. The sizes alternate
 * and the best round counts.
 */
export async function measureGrowth(n: number, prepared: (n: number) => Work | Promise<Work>): Promise<number> {
  const works = [await prepared(n), await prepared(10 * n)] as const;
  const best = [Infinity, Infinity] as [number, number];
  await works[0]();
  const growth = () => best[1] / 10 / Math.max(best[0], FLOOR_US);
  for (let round = 0; round < ROUNDS || (growth() >= GROWTH_MAX && round < ROUNDS_MAX); round += 1)
    for (const size of [0, 1] as const) best[size] = Math.min(best[size], await measureCpu(works[size]));
  return growth();
}

type Work = () => unknown;

/** Measures the processor time of some work in µs, which other processes do not affect. */
async function measureCpu(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Maximum accepted growth: linear work exceeds it, a busy machine does not. */
export const GROWTH_MAX = 4;
