import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { closeConnection, type SiblingNetwork } from '../sibling-network.js';
import { SiblingWorld } from '../sibling-world.js';
import { CLEAN, type World } from '../world.js';

/** Runs two gateways with separate caches of the sibling network. */
let siblings: SiblingWorld;
let network: SiblingNetwork;
let world: World;
beforeAll(async () => {
  siblings = await SiblingWorld.start({ apart: {} });
  ({ network, world } = siblings);
});
afterAll(() => siblings.stop());

const FRESH_MS = 10 * MINUTE_MS;
const urls = () => world.apart.gateways.map(({ url }) => url);
/** Runs a request at each gateway in parallel. */
const everywhere = <T>(ask: (url: string) => Promise<T>) => Promise.all(urls().map(ask));

const sibling = (museId: string) => siblings.sibling(museId);
const whoami = (agent: RawAgent) =>
  everywhere(url => send(url, '/api/whoami', { body: agent.signed('whoami', { origin: world.service.baseUrl }) }));
const statuses = async (agent: RawAgent) => (await whoami(agent)).map(({ status }) => status);
const typesOf = (museId: string) => world.eventTypes(`muse-${museId}`);

test('a sibling identity that signs at both gateways first is registered once', async () => {
  const both = sibling('muse_both1');
  expect(await statuses(both)).toEqual([200, 200]);
  expect(await typesOf('muse_both1')).toEqual(['Registered']);
  expect(network.timesAsked('muse_both1')).toBe(2);
});

test('a key change seen by one gateway ends the old key and its tokens at the other', async () => {
  const old = sibling('muse_moved1');
  await old.post('join', { headline: 'Moves' });
  const token = textOf(await old.post('token', { action: 'issue' }), 'token');
  const authorization = `Bearer ${token}`;
  const withToken = () => everywhere(url => send(url, '/api/whoami', { body: {}, headers: { authorization } }));
  await world.advance(MINUTE_MS);
  // Starts the ten minutes for which the other gateway trusts its cache.
  expect(await statuses(old)).toEqual([200, 200]);
  expect((await withToken()).map(({ status }) => status)).toEqual([200, 200]);
  const next = sibling('muse_moved1');
  await world.advance(FRESH_MS - MINUTE_MS);
  const [first, second] = urls();
  const asks = (url: string, agent: RawAgent) => send(url, '/api/whoami', { body: agent.signed('whoami') });
  expect(await asks(second!, old)).toMatchObject({ status: 200 });
  expect(await asks(first!, next)).toMatchObject({ status: 200 });
  expect(await asks(second!, next)).toMatchObject({ status: 200 });
  expect(await asks(second!, old)).toMatchObject({ status: 401, body: { code: 'signature_mismatch' } });
  expect((await withToken()).map(({ status }) => status)).toEqual([401, 401]);
});

test('a key change that both gateways see together is recorded once', async () => {
  const old = sibling('muse_raced1');
  expect(await statuses(old)).toEqual([200, 200]);
  const next = sibling('muse_raced1');
  await world.advance(FRESH_MS);
  expect(await statuses(next)).toEqual([200, 200]);
  expect(await typesOf('muse_raced1')).toEqual(['Registered', 'KeyBound']);
});

test('an outdated response of the network changes nothing', async () => {
  const old = sibling('muse_late1');
  expect(await statuses(old)).toEqual([200, 200]);
  await world.advance(FRESH_MS);
  const [first, second] = urls();
  const asks = (url: string, agent: RawAgent) => send(url, '/api/whoami', { body: agent.signed('whoami') });
  // Delays a response with the old key to one gateway.
  let answerLate: () => void = () => undefined;
  const isAsked = new Promise<void>(resolve => {
    network.faultyAnswer = response => {
      answerLate = () =>
        response.writeHead(200).end(JSON.stringify({ muse_id: 'muse_late1', public_key: old.publicKey }));
      resolve();
    };
  });
  const late = asks(first!, old);
  await isAsked;
  network.faultyAnswer = null;
  const next = sibling('muse_late1');
  expect(await asks(second!, next)).toMatchObject({ status: 200 });
  answerLate();
  expect(await late).toMatchObject({ status: 401 });
  expect(await asks(first!, next)).toMatchObject({ status: 200 });
  expect(await typesOf('muse_late1')).toEqual(['Registered', 'KeyBound']);
});

test('both keep a known identity working from the log while the network is down', async () => {
  const agent = sibling('muse_kept1');
  expect(await statuses(agent)).toEqual([200, 200]);
  network.faultyAnswer = closeConnection;
  await world.advance(FRESH_MS);
  const replies = await whoami(agent);
  expect(replies.map(({ body }) => body['identity'])).toEqual(['cached', 'cached']);
});

test('the log with siblings passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
