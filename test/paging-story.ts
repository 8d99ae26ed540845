import { expect } from '@jest/globals';
import { newEvents } from '#libs/event-log/carry-out.js';
import type { Fact } from '#libs/kernel/event.js';
import { Application } from '#libs/streams/application.js';
import { Connection } from '#libs/streams/connection.js';
import { Job } from '#libs/streams/job.js';
import { Message } from '#libs/streams/message.js';
import { Muse } from '#libs/streams/muse.js';
import { Post } from '#libs/streams/post.js';
import { type RawAgent, send, textOf } from './raw-agent.js';
import { told } from './unit/features/worlds.js';
import type { World } from './world.js';

const BEFORE = 120;
const INSERTED = 1_000;
/** How many of everything come between two pages, and how many items a page has: both lists end at about one time. */
const AT_ONCE = 100;
const PAGE = 11;
const AUTHOR = 'service';

interface Cast {
  readonly owner: RawAgent;
  readonly friend: RawAgent;
  /** A role of the owner's. */
  readonly role: string;
}

type Items = readonly { readonly [name: string]: unknown }[];

interface List {
  readonly name: string;
  /** One page behind a cursor; null at the end. */
  readonly page: (world: World, cast: Cast, after: string | null) => Promise<{ items: Items; next: string | null }>;
  /** What tells its items apart. */
  readonly key: string;
}

/** A list that anybody reads. */
const read = (path: (cast: Cast) => string, member: string, key: string, cursor = 'before'): List => ({
  name: path({ owner: { museId: '<muse>' }, role: '<role>' } as Cast),
  key,
  async page(world, cast, after) {
    const from = after === null ? '' : `&${cursor}=${after}`;
    const { body } = await send(world.url, `${path(cast)}${from}`);
    return { items: body[member] as unknown as Items, next: body['next'] as string | null };
  },
});

/** A list that its owner alone asks for. */
const ask = (
  endpoint: string,
  fields: (cast: Cast) => object,
  member: string,
  key: string,
  cursor = 'before',
): List => ({
  name: `POST /api/${endpoint}`,
  key,
  async page(_world, cast, after) {
    const asked = { ...fields(cast), limit: String(PAGE), ...(after !== null && { [cursor]: after }) };
    const { body } = await cast.owner.post(endpoint, asked);
    return { items: body[member] as unknown as Items, next: body['next'] as string | null };
  },
});

const inbox: List = {
  name: 'POST /api/inbox',
  key: 'id',
  async page(_world, { owner }) {
    const { body } = await owner.post('inbox', { limit: String(PAGE * 4) });
    return { items: body['items'] as unknown as Items, next: body['more'] === true ? '' : null };
  },
};

/** Every list that is read page by page; another one is one more line. */
export const LISTS: readonly List[] = [
  read(() => `/api/feed?limit=${PAGE}`, 'items', 'id'),
  read(() => `/api/feed?limit=${PAGE}&sort=top`, 'items', 'id'),
  read(() => `/api/feed?limit=${PAGE}&board=dev`, 'items', 'id'),
  read(() => `/api/feed?limit=${PAGE}&tag=same`, 'items', 'id'),
  read(() => `/api/feed?limit=${PAGE}&kind=work`, 'items', 'id'),
  read(({ owner }) => `/api/muse/${owner.museId}/activity?limit=${PAGE}`, 'activity', 'id'),
  read(({ owner }) => `/api/muse/${owner.museId}/connections?limit=${PAGE}`, 'connections', 'muse_id', 'after'),
  read(() => `/api/roles?limit=${PAGE}`, 'roles', 'slug', 'after'),
  read(({ role }) => `/api/role/${role}?x=1`, 'applications', 'muse_id', 'after'),
  ask('applications', ({ role }) => ({ role }), 'applications', 'muse_id', 'after'),
  ask('messages', ({ friend }) => ({ with: friend.museId }), 'items', 'id'),
  inbox,
];

const museOf = (n: number) => `agent_${String(n).padStart(10, '0')}`;
const numberOf = (n: number, kind: number) => kind * 1_000_000 + n;

/** One more of everything that the lists hold, as the log would say it. */
function more({ owner, friend, role }: Cast, n: number): readonly [stream: string, facts: Fact[]][] {
  const [muse, post, job] = [museOf(n), 500_000_000_000 + n, `job-${600_000_000_000 + n}`];
  const joined = [told('Registered', { muse_id: muse }), told('Joined', { muse_id: muse, item: numberOf(n, 1e6) })];
  const said = { post, muse_id: owner.museId, parent_id: null, parent_by: null, board: 'dev', tags: ['same'] };
  const letter = { message: 700_000_000_000 + n, from: friend.museId, to: owner.museId };
  const asked = { role, muse_id: muse, poster: owner.museId, item: numberOf(n, 2e6) };
  const posted = { role: job, poster: owner.museId, item: numberOf(n, 3e6), expires_at: null, budget: null };
  return [
    [Muse.named(muse), joined],
    [Post.named(post), [told('Posted', { ...said, mentions: [], proofs: [] })]],
    [Connection.named(muse, owner.museId), [told('Connected', { by: muse, to: owner.museId })]],
    [Job.named(job), [told('JobPosted', { ...posted, payment: null, trial: null })]],
    [Application.named(role, muse), [told('Applied', { ...asked, trial_answer: null })]],
    [Message.named(letter.message), [told('MessageSent', letter)]],
  ];
}

async function insert(world: World, cast: Cast, from: number, to: number): Promise<void> {
  const { journal } = world.service.stores;
  const by = { at: world.now(), cause: 'test', decidedBy: 'test@1', basedOn: {} };
  const authorization = { mode: 'service', reason: 'test' } as const;
  for (let n = from; n < to; n += 1)
    await Promise.all(
      more(cast, n).map(([stream, facts]) => {
        const context = { ...by, authorization, actor: AUTHOR, requestKey: `more/${n}` };
        return journal.append(stream, 'none', newEvents(facts, stream, context));
      }),
    );
  await world.settled();
}

interface Reading {
  readonly list: List;
  readonly seen: unknown[];
  next: string | null | undefined;
}

async function turn(world: World, cast: Cast, reading: Reading): Promise<void> {
  const { list, seen, next } = reading;
  if (next === null) return;
  const page = await list.page(world, cast, next ?? null);
  seen.push(...page.items.map(item => item[list.key]));
  reading.next = page.next;
}

/** All that a list holds now. */
async function whole(world: World, cast: Cast, list: List): Promise<unknown[]> {
  const reading: Reading = { list, seen: [], next: undefined };
  while (reading.next !== null) await turn(world, cast, reading);
  return reading.seen;
}

/** Every list is read to its end while a thousand more of everything come: nothing is skipped, and nothing comes twice. */
export async function pageWhileItGrows(world: World): Promise<void> {
  const [owner, friend] = [await world.raw('Owner'), await world.raw('Friend')];
  const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };
  const cast: Cast = { owner, friend, role: textOf(await owner.post('job', job), 'role') };
  await insert(world, cast, 0, BEFORE);
  const lists = LISTS.filter(list => list !== inbox);
  const before = new Map<List, unknown[]>();
  for (const list of lists) before.set(list, await whole(world, cast, list));
  const readings = LISTS.map((list): Reading => ({ list, seen: [], next: undefined }));
  for (let n = BEFORE; n < BEFORE + INSERTED; n += AT_ONCE) {
    for (const reading of readings) await turn(world, cast, reading);
    await insert(world, cast, n, n + AT_ONCE);
  }
  for (const reading of readings) while (reading.next !== null) await turn(world, cast, reading);
  for (const { list, seen } of readings) {
    expect([list.name, seen.length - new Set(seen).size]).toEqual([list.name, 0]);
    const skipped = (before.get(list) ?? []).filter(key => !seen.includes(key));
    expect([list.name, skipped]).toEqual([list.name, []]);
  }
  // Of connections, applications and messages each was told once, those that came meanwhile too.
  const told = readings.find(({ list }) => list === inbox)!.seen.length;
  expect(told + (await rest(owner))).toBe(3 * (BEFORE + INSERTED));
}

async function rest(owner: RawAgent): Promise<number> {
  const { body } = await owner.post('inbox', {});
  const { length } = body['items'] as unknown as Items;
  return body['more'] === true ? length + (await rest(owner)) : length;
}
