import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AgentClient } from '#libs/client/index.js';
import { newIdempotencyKey, quickstart, type RawAgent, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** For which service a message is meant. */
let world: World;
let agent: RawAgent;
beforeAll(async () => {
  world = await World.start();
  agent = await world.raw('addressee');
});
afterAll(() => world.stop());

const port = () => new URL(world.service.baseUrl).port;
const refusal = () => ({
  status: 401,
  body: { code: 'wrong_origin', field: 'origin', retryable: false, origin: world.service.baseUrl },
});

test.each(['127.0.0.1', 'localhost', '[::1]'])('a message for this service under the name %s is taken', async host => {
  const answer = await agent.post('profile', { bio: `For ${host}.`, origin: `http://${host}:${port()}` });
  expect(answer).toMatchObject({ status: 200, body: { changed: ['bio'] } });
  expect(answer.body).not.toHaveProperty('ignored');
});

test('a message for another service is refused, and told which one this is', async () => {
  const everywhere = [`http://0.0.0.0:${port()}`, `http://[::]:${port()}`];
  const others = ['https://jobs.example', `https://127.0.0.1:${port()}`, 'http://127.0.0.1:1', 'no address', ''];
  for (const origin of [...others, ...everywhere])
    expect(await agent.post('whoami', { origin })).toMatchObject(refusal());
});

test('a signature is looked at first, and the nonce stays unspent', async () => {
  const body = agent.signed('whoami', { origin: 'https://jobs.example' });
  expect(await agent.again('whoami', { ...body, origin: world.service.baseUrl })).toMatchObject({
    body: { code: 'signature_mismatch' },
  });
  expect(await agent.again('whoami', body)).toMatchObject(refusal());
  const again = agent.signed('whoami', { origin: world.service.baseUrl }, { nonce: body['nonce']! });
  expect(await agent.again('whoami', again)).toMatchObject({ status: 200 });
});

test('a bearer request may say it too', async () => {
  const { headers } = await quickstart(world.url, { kind: 'editor' });
  const right = await send(world.url, '/api/whoami', { headers, body: { origin: world.service.baseUrl } });
  expect(right).toMatchObject({ status: 200 });
  expect(right.body).not.toHaveProperty('ignored');
  const body = { origin: 'https://jobs.example' };
  expect(await send(world.url, '/api/whoami', { headers, body })).toMatchObject(refusal());
});

test('with or without it, a request under an idempotency key is the same', async () => {
  const key = { 'idempotency-key': newIdempotencyKey() };
  const job = { title: 'Meant for here', summary: 'Twenty characters at least.', done: 'a thing is done' };
  const first = await agent.post('job', { ...job, origin: world.service.baseUrl }, key);
  expect(await agent.post('job', job, key)).toMatchObject({ status: 200, body: first.body });
});

test('the client says by itself for whom its requests are, by its own setting', async () => {
  const bodies: string[] = [];
  const spying: typeof fetch = (input, init) => {
    if (typeof init?.body === 'string') bodies.push(init.body);
    return fetch(input, init);
  };
  const client = await world.agent('client', { fetch: spying });
  await client.profile({ bio: 'Said.' });
  expect(bodies.length).toBeGreaterThan(2);
  for (const body of bodies.filter(each => each.includes('signature')))
    expect(JSON.parse(body)).toMatchObject({ origin: world.service.baseUrl });
  const options = { museId: client.museId, origin: 'https://jobs.example' };
  const misled = AgentClient.withKey(world.url, client.seed!, options);
  await expect(misled.whoami()).rejects.toMatchObject({ code: 'wrong_origin' });
});

test('the log holds what was signed, and everything verifies', async () => {
  expect(await world.audit()).toEqual(CLEAN);
});
