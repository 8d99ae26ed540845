import { beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('Poster', 'Worker');
});

interface Tasks {
  readonly tasks: readonly { readonly role: { readonly slug: string }; readonly status: string }[];
  readonly total: number;
  readonly next: string | null;
}

async function tasksOf(agent: RawAgent, fields: { readonly [name: string]: string } = {}): Promise<Tasks> {
  await world.settle();
  const { status, body } = await agent.post('tasks', fields);
  expect([status, body]).toEqual([200, body]);
  return body as unknown as Tasks;
}

const post = async (agent: RawAgent, more = {}) =>
  textOf(
    await agent.post('delegate', { task: 'Translate the manual into French.', skills: 'french', ...more }),
    'role',
  );
const statusOf = async (role: string) => (await tasksOf(poster, { role })).tasks[0]!.status;

test('each status of a task names the next actor until the task is done', async () => {
  const role = await post(poster);
  expect(await tasksOf(poster, { role })).toMatchObject({
    tasks: [{ role: { slug: role }, status: 'open', applications: [], hires: [], deliveries: [] }],
    total: 1,
    next: null,
  });
  await worker.post('apply', { role, note: 'Gladly.' });
  expect((await tasksOf(poster, { role })).tasks).toMatchObject([
    { status: 'applied', applications: [{ muse_id: worker.museId, note: 'Gladly.' }] },
  ]);
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  expect((await tasksOf(poster, { role })).tasks).toMatchObject([
    { status: 'hired', applications: [], hires: [{ hire: Number(hire), worker: worker.museId, status: 'hired' }] },
  ]);
  const url = world.page('Bonjour.');
  await worker.post('deliver', { hire, url });
  expect((await tasksOf(poster, { role })).tasks).toMatchObject([
    { status: 'delivered', deliveries: [{ hire: Number(hire), url }] },
  ]);
  await poster.post('accept', { hire });
  expect(await statusOf(role)).toBe('done');
});

test('a wage is owed for accepted work until it is paid', async () => {
  const fields = { task: 'Translate the manual into Dutch.', budget_usd: '10' };
  const role = textOf(await poster.buy('delegate', fields), 'role');
  const hire = await poster.hireFor(role, worker);
  await worker.post('deliver', { hire, url: world.page('Goedendag.') });
  await poster.post('accept', { hire });
  expect(await statusOf(role)).toBe('unpaid');
  await poster.buy('pay', { hire });
  expect(await statusOf(role)).toBe('done');
});

test('a task that closed, expired or lost its only hire ends without a result', async () => {
  const closed = await post(poster);
  await poster.post('close', { role: closed });
  expect(await statusOf(closed)).toBe('closed');
  const left = await post(poster);
  const hire = await poster.hireFor(left, worker);
  await worker.post('end_hire', { hire, reason: 'I have no time for it any more.' });
  await poster.post('close', { role: left });
  expect(await statusOf(left)).toBe('ended');
  const late = await post(poster);
  await world.advance(31 * 24 * 3_600_000);
  expect(await statusOf(late)).toBe('expired');
});

test('each muse sees only its own tasks, page by page, newest first', async () => {
  const own = await post(worker);
  expect((await tasksOf(worker)).tasks.map(({ role }) => role.slug)).toEqual([own]);
  const first = await tasksOf(poster, { limit: '2' });
  expect(first.total).toBe(5);
  const second = await tasksOf(poster, { limit: '20', after: first.next! });
  const slugs = [...first.tasks, ...second.tasks].map(({ role }) => role.slug);
  expect(new Set(slugs).size).toBe(5);
  expect(second.next).toBeNull();
  const { status, body } = await worker.post('tasks', { role: slugs[0]! });
  expect([status, body['code']]).toEqual([404, 'not_found']);
});
