import { expect } from '@jest/globals';
import { newEvents } from '#libs/event-log/carry-out.js';
import type { Fact } from '#libs/kernel/event.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Connection } from '#libs/features/network/domain/connection.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Message } from '#libs/features/messages/domain/message.js';
import { Muse } from '#libs/domain/muse.js';
import { Post } from '#libs/features/feed/domain/post.js';
import { Project } from '#libs/features/projects/domain/project.js';
import { type Cast, inbox, type Items, type List, LISTS, PROJECT, SKILL } from './paging-lists.js';
import { type RawAgent, textOf } from './raw-agent.js';
import { told } from './unit/features/worlds.js';
import type { World } from './world.js';

/** How many of everything there are before, how many come meanwhile, and how many of those between two pages. */
export interface Growth {
  readonly before: number;
  readonly inserted: number;
  readonly atOnce: number;
}
/** Some hundred events, by a store that is slow. */
const FOLDING_MS = 120_000;
const AUTHOR = 'service';

const museOf = (n: number) => `agent_${String(n).padStart(10, '0')}`;
const jobOf = (n: number) => `job-${600_000_000_000 + n}`;
const numberOf = (n: number, kind: number) => kind * 1_000_000 + n;

/** One more of everything that the lists hold, as the log would say it. */
function more({ owner, friend, role, post: above }: Cast, n: number): readonly [stream: string, facts: Fact[]][] {
  const [muse, post, reply, job, project] = [
    museOf(n),
    500_000_000_000 + n,
    800_000_000_000 + n,
    jobOf(n),
    `book-${n}`,
  ];
  const registered = told('Registered', { muse_id: muse, name: `Reader ${n}`, skills: [SKILL], open_to_work: true });
  const joined = [registered, told('Joined', { muse_id: muse, item: numberOf(n, 1e6) })];
  const said = { post, muse_id: owner.museId, parent_id: null, parent_by: null, board: 'dev', tags: ['same'] };
  const answered = { ...said, post: reply, parent_id: Number(above), parent_by: owner.museId, board: null };
  const letter = { message: 700_000_000_000 + n, from: friend.museId, to: owner.museId };
  const asked = { role, muse_id: muse, poster: owner.museId, item: numberOf(n, 2e6) };
  const posted = { role: job, poster: owner.museId, item: numberOf(n, 3e6), expires_at: null, budget: null };
  const hire = 300_000_000_000 + n;
  const hired = { hire, role, poster: owner.museId, worker: muse, item: numberOf(n, 5e6), budget: null };
  const founded = { project, entry: numberOf(n, 4e6), founder: owner.museId, co_founder: null };
  return [
    [Muse.named(muse), joined],
    [Post.named(post), [told('Posted', { ...said, mentions: [], proofs: [] })]],
    [Post.named(reply), [told('Posted', { ...answered, mentions: [], proofs: [] })]],
    [Project.named(project), [told('ProjectCreated', founded)]],
    [Connection.named(muse, owner.museId), [told('Connected', { by: muse, to: owner.museId })]],
    [Job.named(job), [told('JobPosted', { ...posted, payment: null, trial: null, skills: [SKILL], project: PROJECT })]],
    [Application.named(role, muse), [told('Applied', { ...asked, trial_answer: null })]],
    [Hire.named(hire), [told('Hired', hired)]],
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
  await world.settled(FOLDING_MS);
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

/** Every list is read to its end while more of everything comes: nothing is skipped, and nothing comes twice. */
export async function pageWhileItGrows(world: World, { before: first, inserted, atOnce }: Growth): Promise<void> {
  const total = first + inserted;
  const [owner, friend] = [await world.raw('Owner'), await world.raw('Friend')];
  const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };
  const about = { slug: PROJECT, name: 'Handbook', one_line: 'A handbook for agents.' };
  await owner.post('project', { ...about, about: 'What an agent needs to know.' });
  const post = textOf(await owner.post('post', { text: 'What do you read?' }), 'id');
  const cast: Cast = { owner, friend, post, role: textOf(await owner.post('job', job), 'role') };
  await insert(world, cast, 0, first);
  const lists = LISTS.filter(list => list !== inbox);
  const before = new Map<List, unknown[]>();
  for (const list of lists) before.set(list, await whole(world, cast, list));
  const readings = LISTS.map((list): Reading => ({ list, seen: [], next: undefined }));
  for (let n = first; n < total; n += atOnce) {
    for (const reading of readings) await turn(world, cast, reading);
    await insert(world, cast, n, n + atOnce);
  }
  for (const reading of readings) while (reading.next !== null) await turn(world, cast, reading);
  for (const { list, seen } of readings) {
    expect([list.name, seen.length - new Set(seen).size]).toEqual([list.name, 0]);
    expect([list.name, seen.length >= first]).toEqual([list.name, true]);
    const skipped = (before.get(list) ?? []).filter(key => !seen.includes(key));
    expect([list.name, skipped]).toEqual([list.name, []]);
  }
  // Of connections, applications and messages each was told once, those that came meanwhile too.
  const told = readings.find(({ list }) => list === inbox)!.seen.length;
  expect(told + (await rest(owner))).toBe(3 * total);
}

async function rest(owner: RawAgent): Promise<number> {
  const { body } = await owner.post('inbox', {});
  const { length } = body['items'] as unknown as Items;
  return body['more'] === true ? length + (await rest(owner)) : length;
}
