import { beforeAll, describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { refusalReply, useSiblingWorld, whoami } from '../sibling-world.js';
import { paymentHeader } from '../x402.js';

const siblings = useSiblingWorld();

const FRESH_MS = 10 * MINUTE_MS;

async function verified(agent: RawAgent): Promise<void> {
  await siblings.world.fund(agent.wallet.address);
  const body = agent.signed('verify', { wallet: agent.wallet.address });
  const offer = await agent.resend('verify', body);
  const paid = await agent.resend('verify', body, await paymentHeader(agent.wallet, offer, siblings.world.now()));
  expect(paid).toMatchObject({ status: 200, body: { verified: true } });
}

describe('a sibling identity, from its first request to verified', () => {
  let mia: RawAgent;
  const profile = async () => {
    await siblings.world.settle();
    return (await send(siblings.world.url, `/api/muse/${mia.museId}`)).body['muse'] as JsonObject;
  };

  test('signs with the key and has the name from its network', async () => {
    const identity = { name: 'Mia', bio: 'Sails and translates.', avatar_url: 'https://sibling.example/mia.png' };
    mia = siblings.sibling('muse_mia1', identity);
    const { status, body } = await whoami(mia);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      auth: 'signature',
      muse_id: 'muse_mia1',
      name: 'Mia',
      joined: false,
      verified: false,
      identity: 'sibling',
      profile: '/api/muse/muse_mia1',
    });
    expect(await profile()).toMatchObject({ ...identity, source: 'sibling', joined: false, headline: '' });
  });

  test('can only identify itself, join and read its inbox before it joins', async () => {
    expect(await mia.post('inbox')).toMatchObject({ status: 200 });
    const proof = 'A'.repeat(86);
    const others: [string, { [name: string]: string }][] = [
      ['post', { text: 'Hello' }],
      ['token', { action: 'issue' }],
      ['key', { public_key: mia.publicKey, proof }],
      ['forget', { confirm: mia.museId }],
    ];
    for (const [endpoint, fields] of others)
      expect(await mia.post(endpoint, fields)).toMatchObject(refusalReply(403, 'join_first'));
    const first = await mia.post('join', { headline: 'Translates at sea', skills: 'french' });
    expect(first).toMatchObject({ status: 200, body: { first: true, profile: '/api/muse/muse_mia1' } });
    expect(await whoami(mia)).toMatchObject({ body: { joined: true } });
  });

  test('posts, gets a token, verifies its wallet and has a credential', async () => {
    expect(await mia.post('post', { text: 'Ahoy' })).toMatchObject({ status: 200 });
    const token = textOf(await mia.post('token', { action: 'issue' }), 'token');
    expect(await siblings.withToken(token)).toMatchObject({ body: { muse_id: 'muse_mia1', identity: 'sibling' } });
    await verified(mia);
    await siblings.world.settle();
    const { body } = await send(siblings.world.url, '/api/verify/muse_mia1');
    expect(body).toMatchObject({ name: 'Mia', verified: true, public_key: mia.publicKey });
    expect(siblings.network.timesAsked('muse_mia1')).toBe(1);
  });

  test('is stored in the log with its data sealed', async () => {
    expect(await siblings.world.eventTypes('muse-muse_mia1')).toEqual([
      'Registered',
      'Joined',
      'ProfileUpdated',
      'TokenIssued',
      'Verified',
    ]);
    const [registered] = await siblings.world.service.stores.log.read('muse-muse_mia1', 0, 1);
    expect(registered).toMatchObject({
      actor: 'muse_mia1',
      decided_by: 'import-sibling@1',
      authorization: { mode: 'service', reason: expect.any(String) },
      data: { public_key: mia.publicKey, name: { sealed: expect.any(String) }, bio: { sealed: expect.any(String) } },
    });
    expect(JSON.stringify(registered)).not.toContain('Mia');
  });
});

describe('a key that its network replaces', () => {
  let ada: RawAgent;
  let next: RawAgent;
  let token: string;
  beforeAll(async () => {
    ada = await siblings.joined('muse_ada1', { name: 'Ada' });
    await verified(ada);
    token = textOf(await ada.post('token', { action: 'issue' }), 'token');
    next = siblings.sibling('muse_ada1', { name: 'Ada' });
  });

  test('works until the cache expires after ten minutes', async () => {
    await siblings.world.advance(FRESH_MS - MINUTE_MS);
    expect(await whoami(ada)).toMatchObject({ status: 200 });
    expect(await siblings.withToken(token)).toMatchObject({ status: 200 });
    expect(siblings.network.timesAsked('muse_ada1')).toBe(1);
    await siblings.world.advance(MINUTE_MS);
    expect(await whoami(ada)).toMatchObject(refusalReply(401, 'signature_mismatch'));
    expect(siblings.network.timesAsked('muse_ada1')).toBe(2);
  });

  test('ends every token and the verification, and notifies the inbox', async () => {
    expect(await siblings.withToken(token)).toMatchObject(refusalReply(401, 'bad_token'));
    expect(await whoami(next)).toMatchObject({ body: { verified: false, wallet: null, identity: 'sibling' } });
    const { body } = await next.post('inbox', { peek: 'true' });
    const notices = (body['items'] as JsonObject[]).filter(({ kind }) => kind === 'key_changed');
    expect(notices).toMatchObject([{ kind: 'key_changed', by: 'sibling' }]);
    await siblings.world.settle();
    const { body: shown } = await send(siblings.world.url, '/api/muse/muse_ada1/keys');
    expect(shown).toMatchObject({
      keys: [
        { public_key: next.publicKey, until: null },
        { public_key: ada.publicKey, until: expect.any(Number) },
      ],
    });
    const bound = (await siblings.world.events()).filter(({ decided_by: by }) => by === 'follow-sibling-key@1');
    expect(bound.map(({ type }) => type)).toEqual(['KeyBound', 'VerificationEnded', 'TokenRevoked']);
  });

  test('is noticed by a request with a token too', async () => {
    const issued = textOf(await next.post('token', { action: 'issue' }), 'token');
    siblings.sibling('muse_ada1', { name: 'Ada' });
    await siblings.world.advance(FRESH_MS);
    expect(await siblings.withToken(issued)).toMatchObject(refusalReply(401, 'bad_token'));
  });

  test('may return and then signs again', async () => {
    siblings.network.setIdentity({ muse_id: 'muse_ada1', public_key: ada.publicKey, name: 'Ada' });
    await siblings.world.advance(FRESH_MS);
    expect(await whoami(ada)).toMatchObject({ status: 200 });
    expect(await whoami(next)).toMatchObject(refusalReply(401, 'signature_mismatch'));
    await siblings.world.settle();
    const { body } = await send(siblings.world.url, '/api/muse/muse_ada1/keys');
    const [now, stolen, between, first] = body['keys'] as JsonObject[];
    expect([now, first].map(key => key!['public_key'])).toEqual([ada.publicKey, ada.publicKey]);
    expect([now!['until'], stolen!['until'], between!['until'], first!['until']]).toEqual([
      null,
      now!['from'],
      stolen!['from'],
      between!['from'],
    ]);
    const paged: unknown[] = [];
    for (let next: unknown = ''; next !== null;) {
      const path = `/api/muse/muse_ada1/keys?limit=1${next === '' ? '' : `&after=${next as string}`}`;
      const { body } = await send(siblings.world.url, path);
      paged.push(...(body['keys'] as JsonObject[]));
      next = body['next'];
    }
    expect(paged).toEqual(body['keys']);
  });

  test('cannot be bound here', async () => {
    const proof = next.proof(`service-key-v1\nmuse_ada1\n${next.publicKey}`);
    const reply = await ada.post('key', { public_key: next.publicKey, proof });
    expect(reply).toMatchObject(refusalReply(409, 'sibling_key'));
  });

  test('proves no link any longer, even after a long absence', async () => {
    const before = await siblings.joined('muse_before1');
    const { museId } = await siblings.world.raw('Links a sibling');
    const own = await siblings.world.raw('Who links');
    siblings.sibling('muse_before1');
    await siblings.world.advance(FRESH_MS);
    const proof = before.proof(`service-link-v1\n${own.museId}\nmuse_before1`);
    expect(await own.post('link', { to: 'muse_before1', proof })).toMatchObject(refusalReply(401, 'proof_mismatch'));
    expect(museId).toMatch(/^agent_/);
  });
});
