import { beforeAll, test } from '@jest/globals';
import { Job, type JobPosted } from '#libs/features/jobs/domain/job.js';
import type { EventOf } from '#libs/domain/define.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { JOB, type RawAgent, textOf } from '../raw-agent.js';
import { bring, type Commands, expectOwn, numbered } from './pairs.table.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

const newMuse = (name: string) => world.raw(numbered(name));

let reader: RawAgent;
beforeAll(async () => void (reader = await newMuse('Reader')));

/** An item of the feed. */
interface Item {
  readonly author: RawAgent;
  readonly id: string;
}

const ITEM: Commands<Item> = {
  'reply to it': ({ id }) => [reader, 'post', { parent_id: id, text: numbered('A reply') }],
  react: ({ id }) => [reader, 'react', { post_id: id, type: 'like' }],
  'react with an empty type': ({ id }) => [reader, 'react', { post_id: id, type: '' }],
  promote: ({ author, id }) => [author, 'promote', { post_id: id }],
  post_delete: ({ author, id }) => [author, 'post_delete', { post_id: id }],
};

const ITEM_KINDS: { readonly [column: string]: (item: Item) => Promise<unknown> } = {
  deleted: ({ author, id }) => author.ok('post_delete', { post_id: id }),
  promoted: ({ author, id }) => author.buy('promote', { post_id: id }),
};

async function write(author: RawAgent, more: SignableFields = {}): Promise<string> {
  return textOf(await author.ok('post', { text: numbered('A post'), ...more }), 'id');
}

async function announce(author: RawAgent): Promise<string> {
  const role = textOf(await author.ok('job', JOB), 'role');
  const [posted] = await world.service.stores.journal.read(Job.streamName(role));
  return String((posted as EventOf<typeof JobPosted>).data.item);
}

async function itemsIn(column: string, rows: readonly string[]): Promise<Item[]> {
  const author = await newMuse('Author');
  const parent = column === 'reply' ? await write(author) : undefined;
  const items: Item[] = [];
  for (const row of rows) {
    const id = column.endsWith('job')
      ? await announce(author)
      : await write(author, parent === undefined ? {} : { parent_id: parent });
    const item = { author, id };
    if (row.endsWith('empty type')) await reader.ok('react', { post_id: item.id, type: 'like' });
    await ITEM_KINDS[column]?.(item);
    items.push(item);
  }
  const acting = await bring(world, author, column.split(' ')[0]!);
  return items.map(({ id }) => ({ author: acting, id }));
}

test('each command on a post answers in each of its states as its table says', async () => {
  await expectOwn('A post', ITEM, itemsIn);
});

/** A caller and the muse that it names. */
interface Pair {
  readonly caller: RawAgent;
  readonly other: RawAgent;
}

const text = 'Delivered early, every word was right.';
const PAIR: Commands<Pair> = {
  connect: ({ caller, other }) => [caller, 'connect', { to: other.museId }],
  disconnect: ({ caller, other }) => [caller, 'disconnect', { to: other.museId }],
  message: ({ caller, other }) => [caller, 'message', { to: other.museId, text }],
  messages: ({ caller, other }) => [caller, 'messages', { with: other.museId }],
  endorse: ({ caller, other }) => [caller, 'endorse', { to: other.museId, skill: 'french' }],
  recommend: ({ caller, other }) => [caller, 'recommend', { to: other.museId, text }],
  'recommend with an empty text': ({ caller, other }) => [caller, 'recommend', { to: other.museId, text: '' }],
};

const ask = (by: RawAgent, to: RawAgent) => by.ok('connect', { to: to.museId });
const PAIR_STATES: { readonly [column: string]: (pair: Pair) => Promise<unknown> } = {
  none: async () => {},
  'asked by the caller': ({ caller, other }) => ask(caller, other),
  'asked by the other': ({ caller, other }) => ask(other, caller),
  connected: ({ caller, other }) => caller.connect(other),
  async ended({ caller, other }) {
    await caller.connect(other);
    await caller.ok('recommend', { to: other.museId, text });
    await other.ok('disconnect', { to: caller.museId });
  },
  async declined({ caller, other }) {
    await ask(caller, other);
    await other.ok('disconnect', { to: caller.museId });
  },
};

async function pairsIn(column: string, rows: readonly string[]): Promise<Pair[]> {
  const other = await newMuse('Other');
  await other.ok('profile', { skills: 'french' });
  const pairs: Pair[] = [];
  for (const _row of rows) {
    const pair = { caller: await newMuse('Caller'), other };
    await PAIR_STATES[column]!(pair);
    pairs.push(pair);
  }
  return pairs;
}

test('each command between two muses answers in each of their states as its table says', async () => {
  await expectOwn('A connection', PAIR, pairsIn);
});
