import { expect } from '@jest/globals';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Fact } from '#libs/kernel/event.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Connection } from '#libs/features/network/domain/connection.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Message } from '#libs/features/messages/domain/message.js';
import { Muse } from '#libs/domain/muse.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { Project } from '#libs/features/projects/domain/project.js';
import { type Cast, keysIn, type PagedList, LISTS, nextIn, PROJECT, SKILL } from './paging-lists.js';
import { type RawAgent, type Reply, textOf } from './raw-agent.js';
import { told } from './unit/features/worlds.js';
import type { World } from './world.js';

/** Number of items before the test, of items inserted during it, and of items between two pages. */
export interface Growth {
  readonly before: number;
  readonly inserted: number;
  readonly atOnce: number;
}
/** Time to fold some hundred events on a slow store. */
const FOLDING_MS = 120_000;
const AUTHOR = 'service';
const LIMIT = { limit: '11' };
/** Inbox items handed out between two pages: more than arrive. */
const HANDED_OUT = '44';

const BINDER = 'agent_binder0000';

const museOf = (n: number) => `agent_${String(n).padStart(10, '0')}`;
const jobOf = (n: number) => `job-${600_000_000_000 + n}`;
const numberOf = (n: number, kind: number) => kind * 1_000_000 + n;

type Append = readonly [stream: string, facts: Fact[], expected?: number | 'none'];

/** Creates the events that add an item to every list. */
function sampleFacts({ owner, friend, binder, role, post: above }: Cast, n: number): readonly Append[] {
  const [muse, post, reply, job, project] = [
    museOf(n),
    500_000_000_000 + n,
    800_000_000_000 + n,
    jobOf(n),
    `book-${n}`,
  ];
  const registered = told('Registered', { muse_id: muse, name: `Reader ${n}`, skills: [SKILL], open_to_work: true });
  const joined = [registered, told('Joined', { muse_id: muse, item: numberOf(n, 1e6) })];
  const postData = { post, muse_id: owner.museId, parent_id: null, parent_by: null, board: 'dev', tags: ['same'] };
  const answered = { ...postData, post: reply, parent_id: Number(above), parent_by: owner.museId, board: null };
  const letter = { message: 700_000_000_000 + n, from: friend.museId, to: owner.museId };
  const application = { role, muse_id: muse, poster: owner.museId, item: numberOf(n, 2e6) };
  const posted = { role: job, poster: owner.museId, item: numberOf(n, 3e6), expires_at: null, budget: null };
  const keyed = told('KeyBound', { muse_id: binder, public_key: String(n).padStart(43, 'A') });
  const hire = 300_000_000_000 + n;
  const hired = { hire, role, poster: owner.museId, worker: muse, item: numberOf(n, 5e6), budget: null };
  const founded = { project, entry: numberOf(n, 4e6), founder: owner.museId, co_founder: null };
  return [
    [Muse.streamName(muse), joined],
    [Post.streamName(post), [told('Posted', { ...postData, mentions: [], proofs: [] })]],
    [Post.streamName(reply), [told('Posted', { ...answered, mentions: [], proofs: [] })]],
    [Project.streamName(project), [told('ProjectCreated', founded)]],
    [Connection.streamName(muse, owner.museId), [told('Connected', { by: muse, to: owner.museId })]],
    [
      Job.streamName(job),
      [told('JobPosted', { ...posted, payment: null, trial: null, skills: [SKILL], project: PROJECT })],
    ],
    [Application.streamName(role, muse), [told('Applied', { ...application, trial_answer: null })]],
    [Hire.streamName(hire), [told('Hired', hired)]],
    [Message.streamName(letter.message), [told('MessageSent', letter)]],
    [Muse.streamName(binder), [keyed], n],
  ];
}

async function append(world: World, key: string, [stream, facts, expected = 'none']: Append): Promise<void> {
  const by = { at: world.now(), cause: 'test', decidedBy: 'test@1', basedOn: {} };
  const authorization = { mode: 'service', reason: 'test' } as const;
  const context = { ...by, authorization, actor: AUTHOR, requestKey: `more/${key}` };
  await world.service.stores.journal.append(stream, expected, newEvents(facts, stream, context));
}

async function insert(world: World, cast: Cast, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1)
    await Promise.all(sampleFacts(cast, n).map(each => append(world, String(n), each)));
  await world.settle(FOLDING_MS);
}

interface ListReading {
  readonly list: PagedList;
  readonly seen: unknown[];
  next: string | null | undefined;
}

async function readNextPage(world: World, cast: Cast, reading: ListReading): Promise<void> {
  const { list, seen, next } = reading;
  if (next === null) return;
  const page = await list.page(world, cast, { ...LIMIT, ...(next !== undefined && { [list.cursor]: next }) });
  seen.push(...keysIn(page, list));
  reading.next = nextIn(page);
}

async function readWholeList(world: World, cast: Cast, list: PagedList): Promise<unknown[]> {
  const reading: ListReading = { list, seen: [], next: undefined };
  while (reading.next !== null) await readNextPage(world, cast, reading);
  return reading.seen;
}

/** Adds `count` items to every list. */
export async function fillLists(world: World, count: number): Promise<Cast> {
  const [owner, friend] = [await world.raw('Owner'), await world.raw('Friend')];
  const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };
  const about = { slug: PROJECT, name: 'Handbook', one_line: 'A handbook for agents.' };
  await owner.post('project', { ...about, about: 'What an agent needs to know.' });
  const post = textOf(await owner.post('post', { text: 'What do you read?' }), 'id');
  const cast: Cast = { owner, friend, post, binder: BINDER, role: textOf(await owner.post('job', job), 'role') };
  await append(world, 'binder', [Muse.streamName(BINDER), [told('Registered', { muse_id: BINDER })]]);
  await insert(world, cast, 0, count);
  return cast;
}

/** Reads every list to its end while items are added: no item is skipped or repeated. */
export async function pageWhileItGrows(world: World, { before: first, inserted, atOnce }: Growth): Promise<Cast> {
  const total = first + inserted;
  const cast = await fillLists(world, first);
  const { owner } = cast;
  const before = new Map<PagedList, unknown[]>();
  for (const list of LISTS) before.set(list, await readWholeList(world, cast, list));
  const handedOut: unknown[] = [];
  const readings = LISTS.map((list): ListReading => ({ list, seen: [], next: undefined }));
  for (let n = first; n < total; n += atOnce) {
    for (const reading of readings) await readNextPage(world, cast, reading);
    handedOut.push(...idsIn(await owner.post('inbox', { limit: HANDED_OUT })));
    await insert(world, cast, n, n + atOnce);
  }
  for (const reading of readings) while (reading.next !== null) await readNextPage(world, cast, reading);
  for (const { list, seen } of readings) {
    expect([list.name, seen.length - new Set(seen).size]).toEqual([list.name, 0]);
    expect([list.name, seen.length >= first]).toEqual([list.name, true]);
    const skipped = (before.get(list) ?? []).filter(key => !seen.includes(key));
    expect([list.name, skipped]).toEqual([list.name, []]);
  }
  // The inbox hands out connections, applications and messages once each, including later ones.
  handedOut.push(...(await countInbox(owner)));
  expect([handedOut.length, new Set(handedOut).size]).toEqual([3 * total, 3 * total]);
  await insert(world, cast, total, total + 2);
  return cast;
}

const idsIn = ({ body }: Reply) => (body['items'] as unknown as { id: unknown }[]).map(({ id }) => id);

async function countInbox(owner: RawAgent): Promise<unknown[]> {
  const page = await owner.post('inbox', {});
  return [...idsIn(page), ...(page.body['more'] === true ? await countInbox(owner) : [])];
}

/** Sends the cursor of each list to every other list. */
export async function refuseOtherCursors(world: World, cast: Cast): Promise<void> {
  const cursors = new Map<PagedList, string | null>();
  for (const list of LISTS) cursors.set(list, nextIn(await list.page(world, cast, { limit: '1' })));
  expect([...cursors].filter(([, cursor]) => cursor === null).map(([{ name }]) => name)).toEqual([]);
  for (const list of LISTS)
    for (const [other, cursor] of cursors) {
      const { status, body } = await list.page(world, cast, { limit: '1', [list.cursor]: cursor! });
      const expected = list === other ? [200, undefined] : [400, list.cursor];
      expect([list.name, other.name, status, body['code']]).toEqual([list.name, other.name, ...expected]);
    }
}
