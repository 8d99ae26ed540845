import { expect, test } from '@jest/globals';
import { ClockMoved } from '#libs/domain/service.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { HonestLog, POSTER, verify } from './honest-log.js';

/** Findings about times after a change of the clock. */
async function timeFindings(story: (log: HonestLog, write: () => Promise<unknown>) => Promise<void>) {
  const log = await HonestLog.told();
  const write = () =>
    log.signed(
      POSTER,
      Muse.streamName(POSTER),
      { endpoint: 'update_profile', fields: { headline: 'Posts' } },
      ProfileUpdated({ muse_id: POSTER, headline: 'Posts' }),
    );
  await story(log, write);
  const { findings } = await verify(log.source());
  return findings.list.filter(({ kind }) => kind === 'time').map(({ problem }) => problem);
}

const moved = (log: HonestLog, from: number) => {
  const to = log.stores.clock.now();
  return log.service('service', `clock/${to}`, ClockMoved({ from, to }));
};

test('an event may be at most two minutes older than one before it', async () => {
  const story = (ms: number) => (log: HonestLog, write: () => Promise<unknown>) => {
    log.stores.clock.advance(-ms);
    return write().then(() => undefined);
  };
  expect(await timeFindings(story(2 * MINUTE_MS))).toEqual([]);
  const sentence = 'Its time is 121 s before that of an earlier event.';
  expect(await timeFindings(story(121 * SECOND_MS))).toEqual([sentence]);
});

test('the order starts again at a clock move, also for events a minute before it', async () => {
  const before = async (log: HonestLog, write: () => Promise<unknown>, ms: number) => {
    const from = log.stores.clock.now();
    log.stores.clock.advance(-HOUR_MS);
    await write();
    log.stores.clock.advance(ms);
    await moved(log, from);
    await write();
  };
  expect(await timeFindings((log, write) => before(log, write, MINUTE_MS))).toEqual([]);
  expect(await timeFindings((log, write) => before(log, write, MINUTE_MS + SECOND_MS))).toHaveLength(1);
});

test('a later event is not excused by a time from before a clock move', async () => {
  const findings = await timeFindings(async (log, write) => {
    const from = log.stores.clock.now();
    log.stores.clock.advance(-HOUR_MS);
    await moved(log, from);
    log.stores.clock.advance(-HOUR_MS);
    await write();
  });
  expect(findings).toEqual(['Its time is 3600 s before that of an earlier event.']);
});
