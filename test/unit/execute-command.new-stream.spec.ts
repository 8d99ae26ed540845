import { expect, test } from '@jest/globals';
import { executeCommand, type CommandPlan } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { newStream } from '#libs/kernel/decide.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { Post, Posted } from '#libs/features/feed/domain/post.js';
import { MUSE } from './execute-command.js';
import { InMemoryStores, refusalOf } from './in-memory-stores.js';

const ID = 412345678901;
const posted = (text = 'A post.') =>
  Posted({
    post: ID,
    muse_id: MUSE,
    board: null,
    title: null,
    text,
    parent_id: null,
    parent_by: null,
    tags: [],
    mentions: [],
    proofs: [],
  });

type PostPlan = CommandPlan<Post, Record<never, never>>;
const plan = (more: Partial<PostPlan> = {}): PostPlan => ({
  writes: newStream(Post.source(ID)),
  decide: state => {
    if (state.status !== 'none') throw new IdCollision();
    return [posted()];
  },
  ...more,
});

async function counting() {
  const made = new InMemoryStores();
  const calls = { read: 0 };
  const read = made.log.read.bind(made.log);
  made.log.read = (...args) => {
    calls.read += 1;
    return read(...args);
  };
  return { made, calls };
}

test('writes a new stream without reading it', async () => {
  const { made, calls } = await counting();
  const { state, events, repeated } = await executeCommand(made.journal, made.request(MUSE), plan());
  expect([state.status, events.length, repeated, calls.read]).toEqual(['posted', 1, false, 0]);
});

test('a repetition in the same process appends nothing', async () => {
  const { made } = await counting();
  const context = made.request(MUSE);
  await executeCommand(made.journal, context, plan());
  let appended = 0;
  made.log.append = () => Promise.reject(new Error(`Appended ${(appended += 1)} times.`));
  expect((await executeCommand(made.journal, context, plan())).repeated).toBe(true);
});

test('a repetition in another process returns the stored events and writes nothing', async () => {
  const { made } = await counting();
  const context = made.request(MUSE);
  const first = await executeCommand(made.journal, context, plan());
  const other = new Journal(made.log, made.codec);
  const again = await executeCommand(other, { ...context, at: context.at + 1 }, plan());
  expect(again).toMatchObject({ events: first.events, repeated: true, position: first.position });
  expect(made.log.of(Post.streamName(ID))).toHaveLength(1);
});

test('a repetition succeeds even if the request would now be refused', async () => {
  const { made } = await counting();
  const context = made.request(MUSE);
  const first = await executeCommand(made.journal, context, plan());
  const refused = () => Promise.reject(new Refusal('rate_limited', 'Too many.'));
  const decide = () => {
    throw new Refusal('not_found', 'It is gone by now.');
  };
  for (const more of [{ admit: refused }, { decide }, { claim: refused }])
    for (const journal of [made.journal, new Journal(made.log, made.codec)])
      expect((await executeCommand(journal, { ...context, at: 9 }, plan(more))).events).toEqual(first.events);
});

test('rejects a taken id, and passes on a refusal for a new stream', async () => {
  const { made } = await counting();
  await executeCommand(made.journal, made.request(MUSE), plan());
  await expect(executeCommand(made.journal, made.request(MUSE), plan())).rejects.toThrow(IdCollision);
  const gone = plan({
    writes: newStream(Post.source(ID + 1)),
    admit: () => Promise.reject(new Refusal('busy', 'Not now.')),
  });
  expect(await refusalOf(executeCommand(made.journal, made.request(MUSE), gone))).toMatchObject({ code: 'busy' });
  expect(made.log.of(Post.streamName(ID + 1))).toEqual([]);
});
