import { expect, test } from '@jest/globals';
import type { Logger } from 'pino';
import { type Chore, startChores } from '#libs/setup/process/chores.js';
import { until } from './documents/bench.js';

const EVERY_MS = 5;
const SEVERAL = 3;
/** Enough time for several more passes. */
const LATER_MS = 10 * EVERY_MS;
const later = () => new Promise(resolve => setTimeout(resolve, LATER_MS));

function start(...runs: Chore['run'][]) {
  const warned: string[] = [];
  const log = { warn: ({ chore }: { chore: string }) => void warned.push(chore) } as unknown as Logger;
  const chores = runs.map((run, at) => ({ name: `chore ${at}`, everyMs: EVERY_MS, run }));
  return { stop: startChores(chores, log), warned };
}

test('a chore repeats until it is stopped', async () => {
  let passes = 0;
  const { stop } = start(async () => void (passes += 1));
  await until(() => passes >= SEVERAL);
  await stop();
  const done = passes;
  await later();
  expect(passes).toBe(done);
});

test('a slow pass delays its own next pass, but no other chore', async () => {
  let [begun, others] = [0, 0];
  let finish = () => undefined as void;
  const slow = () => {
    begun += 1;
    return new Promise<void>(resolve => (finish = resolve));
  };
  const { stop } = start(slow, async () => void (others += 1));
  await until(() => others >= SEVERAL);
  expect(begun).toBe(1);
  finish();
  await until(() => begun === 2);
  finish();
  await stop();
});

test('a failed pass is logged and retried', async () => {
  let passes = 0;
  const { stop, warned } = start(async () => {
    passes += 1;
    if (passes < SEVERAL) throw new Error('not now');
  });
  await until(() => passes > SEVERAL);
  await stop();
  expect(warned).toEqual(['chore 0', 'chore 0']);
});

test('stopping waits for the current pass', async () => {
  const story: string[] = [];
  const { stop } = start(async () => {
    if (story.length > 0) return;
    story.push('begun');
    await later();
    story.push('done');
  });
  await until(() => story.length === 1);
  await stop();
  expect(story).toEqual(['begun', 'done']);
});
