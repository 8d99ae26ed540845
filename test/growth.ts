const ROUNDS = 4;
/** What less than this costs, in µs, is the machine's doing: whoever looks back at thousands passes it by far. */
const FLOOR_US = 100;
/** How many there are where the machine has so much else to do that four say nothing yet. */
const ROUNDS_MAX = 24;

/**
 * What one of ten times as many costs, divided by what one of `n` costs: about 1 where each costs the same, about 10
 * where each looks at all that came before it. `prepared` answers the work on so many. The sizes take turns, and the
 * best round of each counts: what else the machine does makes some rounds dearer, and none cheaper.
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

/** The µs for which something keeps a processor busy, which other processes do not add to. */
async function measureCpu(work: Work): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** What a growth is held against: whoever looks at all that came before passes it by far, a loaded machine does not. */
export const GROWTH_MAX = 4;
