import { expect, test } from '@jest/globals';
import { type LeasedProjection, type CatchUpBatch, CatchUpScheduler } from '#libs/documents/catch-up-scheduler.js';
import { POSITION_WIDTH, type Position } from '#libs/kernel/event.js';

const BATCH = 500;
const HEAD = 100_000;
const at = (place: number): Position => String(place).padStart(POSITION_WIDTH, '0');

/** Takes turns of `ms` each, and says after how many each projection has come to the head. */
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

test('those in front take what is new first, at whatever places they stand', () => {
  const { behind, ...inFront } = turnsUntilHead({ behind: 0, one: 99_990, other: 99_995, third: 99_800 }, 20);
  expect(inFront).toEqual({ other: 1, one: 2, third: 3 });
  expect(behind).toBeGreaterThan(HEAD / BATCH);
});

test('who is behind has nearly all turns', () => {
  const { behind } = turnsUntilHead({ behind: 0, front: 99_990 }, 20);
  expect(behind).toBeLessThan((HEAD / BATCH) * 1.3);
});

test('those that stand together have all turns together', () => {
  expect(turnsUntilHead({ one: 99_000, other: 99_000 }, 20)).toEqual({ one: 2, other: 2 });
});
