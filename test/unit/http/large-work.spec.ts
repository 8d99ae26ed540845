import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { nextPiece } from '#libs/http/large-work.js';

test('leaves turns of the event loop between any two pieces of large answers', async () => {
  const turnsOfPieces: number[] = [];
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns += 1) await turn();
  })();
  const answer = async () => {
    for (let piece = 0; piece < 3; piece += 1) {
      await nextPiece();
      turnsOfPieces.push(turns);
    }
  };
  await Promise.all([answer(), answer()]);
  isOver = true;
  await counting;
  const between = turnsOfPieces.slice(1).map((at, before) => at - turnsOfPieces[before]!);
  expect(between).toHaveLength(5);
  expect(Math.min(...between)).toBeGreaterThanOrEqual(8);
});
