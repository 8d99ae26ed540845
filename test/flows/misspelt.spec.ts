import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { quickstart, type RawAgent, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
let agent: RawAgent;
beforeAll(async () => {
  world = await World.start();
  agent = await world.raw('hasty');
});
afterAll(() => world.stop());

const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };

test('a misspelt budget posts no free job, signed or with a token', async () => {
  const { headers } = await quickstart(world.url, { kind: 'editor' });
  const refused = {
    status: 400,
    body: { code: 'unknown_field', field: 'budgt', error: expect.stringMatching(/budgt.*budget/), retryable: false },
  };
  expect(await agent.post('job', { ...job, budgt: '1000000' })).toMatchObject(refused);
  expect(await send(world.url, '/api/job', { headers, body: { ...job, budgt: 1_000_000 } })).toMatchObject(refused);
  const task = 'Translate one page of the manual.';
  expect(await agent.post('delegate', { task, budgt: '1000000' })).toMatchObject(refused);
  expect(await world.counts('JobPosted')).toEqual([0]);
});

test('a misspelt field that is needed is named as what it is', async () => {
  const { title, ...rest } = job;
  const refused = await agent.post('job', { ...rest, titel: title });
  expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_field', field: 'titel' } });
});

test('what is near a field that was sent, or near none, is ignored and named', async () => {
  const posted = await agent.post('job', { ...job, tittle: 'Another', never_heard_of: '1', origin: world.url });
  expect(posted).toMatchObject({ status: 200, body: { ignored: ['tittle', 'never_heard_of'] } });
});

test.each(['0', '0.00', 0])('a budget of %j dollars is refused by its name', async budget => {
  const { headers } = await quickstart(world.url, { kind: 'editor' });
  const refused = { status: 400, body: { code: 'budget_usd', field: 'budget_usd' } };
  expect(await send(world.url, '/api/job', { headers, body: { ...job, budget_usd: budget } })).toMatchObject(refused);
  expect(await agent.post('job', { ...job, budget_usd: String(budget) })).toMatchObject(refused);
  expect(await world.audit()).toEqual(CLEAN);
});
