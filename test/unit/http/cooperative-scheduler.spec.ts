import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { waitForNextSlice } from '#libs/http/cooperative-scheduler.js';

test('leaves 8 event loop turns or 10 ms between chunks of large responses', async () => {
  const pieces: { turns: number; at: number }[] = [];
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns += 1) await turn();
  })();
  const answer = async () => {
    for (let piece = 0; piece < 3; piece += 1) {
      await waitForNextSlice();
      pieces.push({ turns, at: performance.now() });
    }
  };
  await Promise.all([answer(), answer()]);
  isOver = true;
  await counting;
  expect(pieces).toHaveLength(6);
  const isClose = ({ turns, at }: (typeof pieces)[number], before: number) =>
    turns - pieces[before]!.turns < 8 && at - pieces[before]!.at < 10;
  expect(pieces.slice(1).filter(isClose)).toEqual([]);
});
