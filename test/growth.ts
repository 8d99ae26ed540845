import { median } from './bench/statistics.js';

const ROUNDS = 3;

/**
 * What one of ten times as many costs, divided by what one of `n` costs: about 1 where each costs the same, about 10
 * where each looks at all that came before it. `cost` answers the ms of all. The sizes take turns, so that whatever else
 * the machine does meets both.
 */
export async function growthOf(n: number, cost: (n: number) => number | Promise<number>): Promise<number> {
  const few: number[] = [];
  const many: number[] = [];
  await cost(n);
  for (let round = 0; round < ROUNDS; round += 1) {
    few.push((await cost(n)) / n);
    many.push((await cost(10 * n)) / (10 * n));
  }
  return median(many) / median(few);
}

/** How long something takes, in ms. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** What a growth is held against: whoever looks at all that came before passes it by far, a loaded machine does not. */
export const GROWTH_MAX = 4;
