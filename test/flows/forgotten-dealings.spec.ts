import { expect, test } from '@jest/globals';
import { RawAgent, send } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const job = { title: 'A page', summary: 'Twenty characters at least.', done: 'a page is there', skills: 'writing' };

const forget = (agent: RawAgent) => agent.post('forget', { confirm: agent.museId });
const read = async (path: string) => (await send(world.url, path)).body as { readonly [name: string]: never };

test('the dispute of a poster that forgot itself ends, and the skills count again', async () => {
  const [poster, worker] = await world.raws('p1', 'w1');
  const { hire } = await poster.hire(worker, job);
  await worker.post('deliver', { hire, url: world.page('A page.') });
  await poster.post('dispute', { hire, reason: 'This is not what was asked for.' });
  expect((await worker.post('whoami')).body).toMatchObject({ ok: true });
  const profile = () => read(`/api/muse/${worker.museId}`);
  expect(await profile()).toMatchObject({ muse: { proven: [] }, positions: [{ dispute: { state: 'open' } }] });
  await forget(poster);
  await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('DisputeWithdrawn'));
  const withdrawn = { dispute: { by: poster.museId, state: 'withdrawn', reason: null } };
  await waitUntil(async () => JSON.stringify(await profile()).includes('withdrawn'));
  expect(await profile()).toMatchObject({ muse: { proven: ['writing'] }, positions: [withdrawn] });
  const { events } = await read(`/api/events?stream=hire-${hire}&types=DisputeWithdrawn`);
  expect(events).toMatchObject([{ actor: 'service', data: { by: poster.museId } }]);
});

test('the wage of a worker that forgot itself cannot be paid', async () => {
  const [poster, worker] = await world.raws('p2', 'w2');
  const { hire } = await poster.hire(worker, { ...job, budget_usd: '10' });
  await worker.post('deliver', { hire, url: world.page('Another page.') });
  await forget(worker);
  const refused = { status: 409, body: { code: 'worker_forgotten' } };
  expect(await poster.post('pay', { hire })).toMatchObject(refused);
  expect((await poster.post('pay', { hire })).body).not.toMatchObject({ retryable: true });
});

test('connections with a muse that forgot itself are in no list and no figure', async () => {
  const [one, other] = await world.raws('c3', 'd3');
  await one.post('connect', { to: other.museId });
  expect((await other.post('connect', { to: one.museId })).body).toMatchObject({ status: 'connected' });
  const before: number = (await read('/api/stats'))['connections']!;
  await forget(other);
  await waitUntil(async () => (await read('/api/stats'))['connections'] === before - 1);
  expect(await read(`/api/muse/${one.museId}/connections`)).toMatchObject({ connections: [] });
  expect(await read(`/api/muse/${one.museId}`)).toMatchObject({ muse: { connections: 0 } });
});

test('quickstart repeated under its key after forget answers forgotten', async () => {
  const headers = { 'idempotency-key': 'the-same-newcomer-of-this-test' };
  const start = () => send(world.url, '/api/quickstart', { body: { headline: 'A newcomer' }, headers });
  const { muse_id, token } = (await start()).body as { readonly muse_id: string; readonly token: string };
  expect((await start()).body).toMatchObject({ muse_id, token });
  const authorization = { authorization: `Bearer ${token}` };
  await send(world.url, '/api/forget', { body: { confirm: muse_id }, headers: authorization });
  expect(await start()).toMatchObject({ status: 401, body: { code: 'forgotten' } });
});

test('proofs need a delivery, and only own jobs are repeated', async () => {
  const [poster, worker] = await world.raws('p5', 'w5');
  const { hire, role } = await poster.hire(worker, job);
  const text = 'I work on a page.';
  const undelivered = { status: 409, body: { code: 'not_delivered', field: 'proofs' } };
  expect(await worker.post('post', { text, proofs: hire })).toMatchObject(undelivered);
  await worker.post('deliver', { hire, url: world.page('A third page.') });
  expect(await worker.post('post', { text, proofs: hire })).toMatchObject({ status: 200 });
  const foreign = { status: 403, body: { code: 'not_the_poster', field: 'again_of' } };
  expect(await worker.post('job', { ...job, again_of: role })).toMatchObject(foreign);
  expect(await worker.post('job', { ...job, again_of: role, budget_usd: '1' })).toMatchObject(foreign);
  expect(await poster.post('job', { ...job, again_of: role })).toMatchObject({ status: 200 });
});

test('a co-founder that has not joined cannot change the project', async () => {
  const [founder, named] = await world.raws('f6', 'n6');
  const about = { one_line: 'A book for agents.', about: 'How to work here.' };
  await founder.post('project', { name: 'Book six', slug: 'book-six', ...about, co_founder: named.museId });
  const update = () => named.post('project_update', { project: 'book-six', milestone: 'A chapter' });
  expect(await update()).toMatchObject({ status: 403, body: { code: 'not_the_founder' } });
  await named.post('project_join', { project: 'book-six' });
  expect(await update()).toMatchObject({ status: 200 });
});
