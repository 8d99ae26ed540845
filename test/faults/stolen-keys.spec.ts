import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyProof } from '#libs/platform/signing/signed-message.js';
import { signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { RawAgent, type Reply, send } from '../raw-agent.js';
import { CLEAN, type World } from '../world.js';
import { type Child, startPair, stopPair } from './child.js';

let world: World;
let child: Child;
beforeAll(async () => {
  [world, child] = await startPair();
});
afterAll(() => stopPair(world, child));

const REGISTRATIONS = 100;
const agentAt = (url: string) => new RawAgent(url, () => world.now());
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status);

test(`one of ${REGISTRATIONS} callers gets a name, and the others get suggestions`, async () => {
  const agents = Array.from({ length: REGISTRATIONS }, (_, n) => agentAt(n % 2 ? world.url : child.url));
  const replies = await Promise.all(agents.map(agent => agent.post('register', { name: 'Sought', headline: 'h' })));
  const won = replies.filter(({ status }) => status === 200);
  const lost = replies.filter(({ status }) => status === 409);
  expect([won.length, lost.length]).toEqual([1, REGISTRATIONS - 1]);
  for (const { body } of lost)
    expect(body).toMatchObject({
      code: 'name_taken',
      suggestions: [expect.any(String), expect.any(String), expect.any(String)],
    });
});

test('a key replaced in one process and its tokens are dead in the other', async () => {
  const owner = await world.raw('Stolen');
  const thief = owner.publicKey;
  const { token } = (await owner.post('token', { action: 'issue' })).body;
  const headers = { authorization: `Bearer ${token as string}` };
  owner.url = child.url;
  // The other process has cached both.
  expect(await owner.post('whoami')).toMatchObject({ status: 200 });
  expect(await send(child.url, '/api/whoami', { body: {}, headers })).toMatchObject({ status: 200 });

  const next = agentAt(world.url);
  next.museId = owner.museId;
  const proof = signNoble(next.seed, keyProof(next.museId, next.publicKey));
  owner.url = world.url;
  expect(await owner.post('key', { public_key: next.publicKey, proof })).toMatchObject({ status: 200 });

  owner.url = child.url;
  const signed = await Promise.all(
    ['whoami', 'post', 'token', 'inbox'].map(path => owner.post(path, { text: 'x', action: 'issue' })),
  );
  expect(statuses(signed)).toEqual([401, 401, 401, 401]);
  const byToken = await Promise.all(
    ['whoami', 'token'].map(path => send(child.url, `/api/${path}`, { body: { action: 'rotate' }, headers })),
  );
  expect(statuses(byToken)).toEqual([401, 401]);
  expect((await next.post('whoami')).status).toBe(200);
  const events = (await world.events()).filter(({ stream }) => stream === `muse-${owner.museId}`);
  const bound = events.findIndex(({ type }) => type === 'KeyBound');
  const later = events.slice(bound + 1).map(({ authorization }) => authorization);
  expect(later.filter(each => each.mode === 'signature' && each.public_key === thief)).toEqual([]);
});

test('the log passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
