import { expect, test } from '@jest/globals';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { UnreadableSkipper, UpgradeNeeded } from '#libs/event-log/unreadable-event.js';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { buildFailure } from '#libs/http/failure.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { InMemoryStores } from './in-memory-stores.js';

const MUSE = 'agent_poster0000';
const OTHER = 'agent_worker0000';

/** Changes the only event of a muse in the log and returns stores without its cached stream. */
async function changed(change: (event: StoredEvent) => object): Promise<InMemoryStores> {
  const desk = new InMemoryStores();
  await update(desk, MUSE);
  desk.log.events.splice(0, 1, { ...desk.log.events[0]!, ...change(desk.log.events[0]!) });
  return Object.assign(desk, { journal: new Journal(desk.log, desk.codec) });
}

const update = (desk: InMemoryStores, muse: string, bio = 'Hello') =>
  executeCommand(desk.journal, desk.request(muse), {
    writes: Muse.source(muse),
    reads: { other: Muse.source(MUSE) },
    decide: () => [ProfileUpdated({ muse_id: muse, bio })],
  });

test.each([
  ['a type', () => ({ type: 'SongSung' })],
  ['a version', () => ({ version: 2 })],
])('decides nothing on a stream with %s unknown to this build', async (_, change) => {
  const desk = await changed(change);
  for (const muse of [MUSE, OTHER])
    await expect(update(desk, muse)).rejects.toMatchObject({ code: 'upgrade_needed', name: 'UpgradeNeeded' });
  expect(desk.log.events).toHaveLength(1);
});

test('decides nothing on a stream with a value that cannot be decrypted', async () => {
  const desk = await changed(() => ({ data: { muse_id: MUSE, bio: { sealed: 'AAAA' } } }));
  for (const muse of [MUSE, OTHER])
    await expect(update(desk, muse)).rejects.toMatchObject({ code: 'unreadable_event', fields: ['bio'] });
  expect(desk.log.events).toHaveLength(1);
});

test.each(['upgrade_needed', 'unreadable_event'] as const)('%s has its own response and is not logged', async code => {
  const desk = await changed(() => (code === 'upgrade_needed' ? { version: 2 } : { data: { bio: { sealed: '' } } }));
  const error: unknown = await update(desk, MUSE).catch((error: unknown) => error);
  const reported: unknown[] = [];
  const { status, body } = buildFailure(error, cause => reported.push(cause));
  expect({ status, code: body['code'], retryable: body['retryable'] }).toEqual({
    status: 503,
    code,
    retryable: true,
  });
  expect(ERROR_CODES[code].slice(0, 2)).toEqual([503, true]);
  expect(reported).toEqual([]);
});

test('a pass over many streams skips unreadable streams and fails at its end', async () => {
  const desk = await changed(() => ({ version: 2 }));
  const each = new UnreadableSkipper();
  await each.run(desk.journal.load(Muse.source(MUSE)));
  await each.run(update(desk, OTHER, 'Nothing to do with it').catch(() => undefined));
  await expect(each.run(Promise.reject(new Error('A defect.')))).rejects.toThrow('A defect.');
  expect(() => each.end()).toThrow(UpgradeNeeded);
  expect(() => new UnreadableSkipper().end()).not.toThrow();
});
