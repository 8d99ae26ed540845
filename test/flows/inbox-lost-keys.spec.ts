import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyProof } from '#libs/signing/key-proof.js';
import { type Headings, quickstart, RawAgent, type Reply, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** Who waits for its inbox may lose what it was let in by. */
let world: World;
let other: RawAgent;
beforeAll(async () => {
  world = await World.start();
  other = await world.raw('Other');
});
afterAll(() => world.stop());

/** Long enough for what happens meanwhile, however slow the machine is. */
const WAIT = '20';
const BEGUN_MS = 300;

/** What a request is answered that waits while something is done, and then something comes for it. */
async function waiting(museId: string, ask: () => Promise<Reply>, meanwhile: () => Promise<Reply>): Promise<Reply> {
  const answer = ask();
  await new Promise(resolve => setTimeout(resolve, BEGUN_MS));
  expect(await meanwhile()).toMatchObject({ status: 200 });
  await other.post('connect', { to: museId });
  return answer;
}

const bearing = (headers: Headings) => () => send(world.url, '/api/inbox', { body: { wait: WAIT }, headers });
const issue = async (agent: RawAgent) => {
  const { body } = await agent.post('token', { action: 'issue' });
  return { authorization: `Bearer ${body['token'] as string}` };
};

test('a request that was signed with a key that is replaced meanwhile is told nothing', async () => {
  const owner = await world.raw('Owner');
  const next = new RawAgent(world.url, () => world.now());
  next.museId = owner.museId;
  const replace = () =>
    owner.post('key', { public_key: next.publicKey, proof: next.proof(keyProof(owner.museId, next.publicKey)) });
  const answer = await waiting(owner.museId, () => owner.post('inbox', { wait: WAIT }), replace);
  expect(answer).toMatchObject({ status: 401, body: { code: 'signature_mismatch' } });
  // Nothing was marked as handed out to who had the old key.
  const { body } = await next.post('inbox');
  expect((body['items'] as { kind: string }[]).map(({ kind }) => kind)).toEqual(['key_changed', 'connection_request']);
});

test('a token that is revoked meanwhile is told nothing', async () => {
  const owner = await world.raw('Revoking');
  const token = await issue(owner);
  const answer = await waiting(owner.museId, bearing(token), () => owner.post('token', { action: 'revoke' }));
  expect(answer).toMatchObject({ status: 401, body: { code: 'bad_token' } });
});

test('who has erased itself meanwhile is told so', async () => {
  const owner = await world.raw('Leaving');
  const leave = () => owner.post('forget', { confirm: owner.museId });
  const answer = await waiting(owner.museId, () => owner.post('inbox', { wait: '2' }), leave);
  expect(answer).toMatchObject({ status: 401, body: { code: 'forgotten' } });
});

test('who changes something else of itself waits on', async () => {
  const { museId, headers } = await quickstart(world.url, { name: 'Changing' });
  const change = () => send(world.url, '/api/profile', { body: { bio: 'Somebody else.' }, headers });
  const answer = await waiting(museId, bearing(headers), change);
  expect(answer).toMatchObject({ status: 200, body: { items: [{ kind: 'connection_request' }] } });
  expect(await world.audit()).toEqual(CLEAN);
});
