import { expect, test } from '@jest/globals';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const task = 'Translate the manual into French.\nIt has three pages, about rivers.';

type Answer = { readonly [name: string]: unknown };
interface Candidates {
  readonly candidates: readonly { readonly muse_id: string; readonly reasons: readonly string[] }[];
}

async function agent(name: string, profile: { readonly [field: string]: string } = {}): Promise<RawAgent> {
  const made = await world.raw(name);
  await made.ok('profile', { open_to_work: 'false', ...profile });
  return made;
}

async function delegation(role: string): Promise<Answer> {
  await world.settle();
  const { status, body } = await send(world.url, `/api/delegate/${role}`);
  expect([status, body]).toEqual([200, body]);
  return body;
}

async function alertsOf(agent: RawAgent): Promise<unknown[]> {
  await world.settle();
  const { items } = (await agent.ok('inbox')).body as { readonly items: readonly { readonly kind: string }[] };
  return items.filter(({ kind }) => kind === 'job_alert');
}

const idsOf = (answer: Answer) => (answer as unknown as Candidates).candidates.map(({ muse_id }) => muse_id);

/** Gives the worker a delivered hire for a job with these skills. */
async function proves(worker: RawAgent, poster: RawAgent, skills: string): Promise<void> {
  const { hire } = await poster.hire(worker, { skills });
  await worker.ok('deliver', { hire, url: world.page(`by ${worker.museId}`) });
}

test('a sentence becomes a job, goes to matching agents and is followed to the end', async () => {
  const poster = await agent('Poster', { skills: 'french', open_to_work: 'true' });
  const proven = await agent('Proven');
  await proves(proven, poster, 'french');
  const lister = await agent('Lister', { skills: 'french,ocr' });
  const open = await agent('Open', { skills: 'french', open_to_work: 'true' });
  const alerted = await agent('Alerted', { skills: 'french', job_alerts: 'true' });
  const other = await agent('Other', { skills: 'german' });
  await world.settle();

  const { body: answer } = await poster.ok('delegate', { task, skills: 'French', deliver_hours: '24' });
  const role = answer['role'] as string;
  const drafted = {
    title: 'Translate the manual into French',
    done: 'A stranger can check the delivery against the task: Translate the manual into French',
  };
  expect(answer).toMatchObject({ url: `/api/role/${role}`, status: 'open', drafted, paid: false, payment: null });
  expect(answer['candidates']).toEqual([
    { muse_id: proven.museId, reasons: ['has proven french'] },
    { muse_id: open.museId, reasons: ['lists french', 'is open to work'] },
    { muse_id: alerted.museId, reasons: ['lists french'] },
    { muse_id: lister.museId, reasons: ['lists french'] },
  ]);
  expect((await world.reader().role({ slug: role })).role).toMatchObject({
    ...drafted,
    summary: task,
    seats: 1,
    deliver_hours: 24,
  });
  const alert = { role, title: drafted.title, skills: ['french'] };
  for (const each of [proven, lister, open, alerted]) expect(await alertsOf(each)).toMatchObject([alert]);
  for (const each of [poster, other]) expect(await alertsOf(each)).toEqual([]);
  expect(await delegation(role)).toMatchObject({
    role,
    status: 'open',
    candidates: answer['candidates'],
    deliveries: [],
  });

  const hire = await poster.hireFor(role, other);
  expect(await delegation(role)).toMatchObject({ status: 'hired', deliveries: [] });
  const post = textOf(await other.post('post', { text: `Les fleuves. ${'x'.repeat(200)}` }), 'id');
  await other.ok('deliver', { hire, post_id: post });
  const { status, deliveries, muses } = await delegation(role);
  const excerpt = `Les fleuves. ${'x'.repeat(127)}`;
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  const delivery = { hire: Number(hire), post: Number(post), url: `/api/post/${post}`, excerpt, digest };
  expect({ status, deliveries }).toEqual({ status: 'delivered', deliveries: [delivery] });
  expect(Object.keys(muses as object)).toEqual(expect.arrayContaining([poster.museId, other.museId, open.museId]));
  await poster.ok('accept', { hire });
  expect(await delegation(role)).toMatchObject({ status: 'accepted', deliveries: [delivery] });
  expect(await world.eventTypes(`job-${role}`)).toEqual(['JobPosted', 'JobOffered', 'SeatFilled', 'JobClosed']);
});

test('a reader with many job alerts misses no item when it reads a few at a time', async () => {
  const poster = await agent('Many');
  const alerted = await agent('Reader', { skills: 'dutch', job_alerts: 'true' });
  const roles: unknown[] = [];
  await world.settle();
  for (let count = 0; count < 7; count += 1)
    roles.push((await poster.ok('delegate', { task: `Translate page ${count}.`, skills: 'dutch' })).body['role']);
  await poster.ok('connect', { to: alerted.museId });
  await world.settle();
  const notices: unknown[] = [];
  for (let more = true; more;) {
    const page = (await alerted.ok('inbox', { limit: '2' })).body as {
      items: { role?: string; kind: string }[];
      more: boolean;
    };
    notices.push(...page.items.map(({ role, kind }) => role ?? kind));
    more = page.more;
  }
  expect(notices).toEqual([...roles, 'connection_request']);
});

test('a delegation with a budget costs the same as a job and is followed to the wage', async () => {
  const [poster, worker] = [await agent('Payer'), await agent('Latinist', { skills: 'latin' })];
  await world.settle();
  const fields = { task: 'Write one page in Latin.', skills: 'latin', budget_usd: '10' };
  const reply = await poster.post('delegate', fields);
  expect(reply).toMatchObject({ status: 402, body: { accepts: [{ maxAmountRequired: '500000' }] } });
  const { body } = await poster.buy('delegate', fields);
  const drafted = { title: 'Write one page in Latin' };
  expect(body).toMatchObject({ status: 'open', drafted, paid: true, payment: { amount: '500000' } });
  expect(idsOf(body)).toEqual([worker.museId]);
  const role = body['role'] as string;
  expect(await alertsOf(worker)).toMatchObject([{ role }]);
  const hire = await poster.hireFor(role, worker);
  await worker.ok('deliver', { hire, url: world.page('pagina') });
  await poster.buy('pay', { hire });
  expect(await delegation(role)).toMatchObject({
    status: 'accepted',
    deliveries: [{ hire: Number(hire), excerpt: null }],
  });
});

test('a task without skills is offered to agents whose skills it mentions', async () => {
  const poster = await agent('Plain');
  const editor = await agent('Editor', { skills: 'image editing' });
  await world.settle();
  const { body: answer } = await poster.ok('delegate', { task: 'I need some image editing for a poster.' });
  expect(answer['candidates']).toEqual([{ muse_id: editor.museId, reasons: ['lists image editing'] }]);
  expect((await world.reader().role({ slug: answer['role'] as string })).role.skills).toEqual([]);
  const { body: nobody } = await poster.ok('delegate', { task: 'Do what nobody has learned.' });
  expect(nobody['candidates']).toEqual([]);
  expect(await delegation(nobody['role'] as string)).toMatchObject({ status: 'open', candidates: [] });
});

test('a forgotten agent gets no offer and is removed from earlier offers', async () => {
  const poster = await agent('Asker');
  const skills = 'esperanto';
  const [stays, leaves, gone] = (await Promise.all(
    ['Stays', 'Leaves', 'Gone'].map(name => agent(name, { skills })),
  )) as [RawAgent, RawAgent, RawAgent];
  await gone.ok('forget', { confirm: gone.museId });
  await world.settle();
  const { body: answer } = await poster.ok('delegate', { task: 'Translate one page.', skills });
  expect(idsOf(answer).sort()).toEqual([stays.museId, leaves.museId].sort());
  await leaves.ok('forget', { confirm: leaves.museId });
  expect(idsOf(await delegation(answer['role'] as string))).toEqual([stays.museId]);
});

test('a closed delegation reads as closed, and other roles are not delegations', async () => {
  const poster = await agent('Busy');
  const unknown = await send(world.url, `/api/delegate/${await poster.postJob()}`);
  expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const delegated = textOf(await poster.post('delegate', { task }), 'role');
  await poster.ok('close', { role: delegated });
  expect(await delegation(delegated)).toMatchObject({ status: 'closed' });
});
