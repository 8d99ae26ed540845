import { expect, test } from '@jest/globals';
import { type LeasedProjection, type CatchUpBatch, CatchUpScheduler } from '#libs/documents/catch-up-scheduler.js';
import { POSITION_WIDTH, type Position } from '#libs/kernel/event.js';

const BATCH = 500;
const HEAD = 100_000;
const at = (place: number): Position => String(place).padStart(POSITION_WIDTH, '0');

/** Turns of `ms` each until each projection reaches the head. */
function turnsUntilHead(places: { readonly [id: string]: number }, ms: number): { [id: string]: number } {
  const turns = new CatchUpScheduler();
  const reached: { [id: string]: number } = {};
  const standing = new Map(Object.entries(places).map(([id, place]) => [id, at(place)]));
  const alive = [...standing.keys()].map(id => ({ id }) as LeasedProjection);
  const take = ({ from, projections }: CatchUpBatch) => {
    const to = at(Math.min(Number(from) + BATCH, HEAD));
    for (const { id } of projections) if (to > standing.get(id)!) standing.set(id, to);
  };
  for (let count = 1; Object.keys(reached).length < alive.length && count < 1_000; count += 1) {
    take(turns.next(alive, standing, count * ms));
    for (const [id, place] of standing) if (place === at(HEAD)) reached[id] ??= count;
  }
  return reached;
}

test('up-to-date projections get new events first', () => {
  const { behind, ...inFront } = turnsUntilHead({ behind: 0, one: 99_990, other: 99_995, third: 99_800 }, 20);
  expect(inFront).toEqual({ other: 1, one: 2, third: 3 });
  expect(behind).toBeGreaterThan(HEAD / BATCH);
});

test('a projection that lags gets nearly all turns', () => {
  const { behind } = turnsUntilHead({ behind: 0, front: 99_990 }, 20);
  expect(behind).toBeLessThan((HEAD / BATCH) * 1.3);
});

test('projections at the same position share their turns', () => {
  expect(turnsUntilHead({ one: 99_000, other: 99_000 }, 20)).toEqual({ one: 2, other: 2 });
});
