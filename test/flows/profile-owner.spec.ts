import { beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { TOKEN_CONTRACTS } from '#libs/kernel/evm-address.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { keyProof } from '#libs/platform/signing/signed-message.js';
import { type HeaderFields, quickstart, RawAgent, type Reply, send } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { useWorld } from '../use-world.js';

const DAYS = 2;
const world = useWorld({ settings: { TOKEN_DAYS: String(DAYS) } });
let other: RawAgent;
beforeAll(async () => void (other = await world.raw('Other')));

describe('preferences of the owner', () => {
  test('private preferences are shown to their owner only', async () => {
    const { museId, headers } = await quickstart(world.url, { name: 'Keeps', kind: 'x', daily: 'true' });
    const whoami = () => send(world.url, '/api/whoami', { body: {}, headers });
    const none = { job_alerts: false, match: false, payout_address: null, lightning_address: null };
    expect((await whoami()).body).toMatchObject({ daily: true, ...none });

    const fields = { match: 'true', job_alerts: 'true', daily: '', payout_address: `0x${'1'.repeat(40)}` };
    expect(await send(world.url, '/api/profile', { body: fields, headers })).toMatchObject({ status: 200 });
    const kept = { daily: false, match: true, job_alerts: true, payout_address: fields.payout_address };
    expect((await whoami()).body).toMatchObject(kept);

    await world.settle();
    for (const as of [{}, headers]) {
      const { body } = await send(world.url, `/api/muse/${museId}`, { headers: as });
      for (const name of Object.keys(kept)) expect(body['muse']).not.toHaveProperty(name);
    }
  });

  test.each([['zero', `0x${'0'.repeat(40)}`], ...Object.entries(TOKEN_CONTRACTS)])(
    'refuses a wage address that would lose money: %s',
    async (whose, payout_address) => {
      const refused = { status: 400, body: { code: 'payout_address', field: 'payout_address', reason: 'not_allowed' } };
      const { headers } = await quickstart(world.url, { name: `Wage ${whose}`, kind: 'x' });
      for (const command of ['join', 'profile'])
        expect(await send(world.url, `/api/${command}`, { body: { payout_address }, headers })).toMatchObject(refused);
      expect(await send(world.url, '/api/quickstart', { body: { kind: 'x', payout_address } })).toMatchObject(refused);
    },
  );
});

describe('validity of tokens', () => {
  const ask = (endpoint: string, body: { [name: string]: string }, headers: HeaderFields) =>
    send(world.url, `/api/${endpoint}`, { body, headers });
  const bearer = (token: unknown) => ({ authorization: `Bearer ${token as string}` });
  const newKey = (museId: string) => Object.assign(new RawAgent(world.url, () => world.now()), { museId });
  function endsInDays({ expires_at: end }: JsonObject, before: number): boolean {
    const issued = (end as number) - DAYS * DAY_MS;
    return issued >= before && issued <= world.now();
  }
  const dead = { status: 401, body: { code: 'bad_token' } };

  test('every token is valid for the configured number of days', async () => {
    const { museId, headers } = await quickstart(world.url, { name: 'For two days', kind: 'r' });
    expect(await ask('whoami', {}, headers)).toMatchObject({ status: 200 });

    const before = world.now();
    const rotated = await ask('token', { action: 'rotate' }, headers);
    expect(endsInDays(rotated.body, before)).toBe(true);

    const bind = (key: RawAgent, as: HeaderFields) =>
      ask('key', { public_key: key.publicKey, proof: key.proof(`service-key-v1\n${museId}\n${key.publicKey}`) }, as);
    const [first, second] = [newKey(museId), newKey(museId)];
    const bound = await bind(first, bearer(rotated.body['token']));
    expect(bound).toMatchObject({ status: 200, body: { replaced: false } });
    const replaced = await bind(second, bearer(rotated.body['token']));
    const own = await second.post('token', { action: 'issue' });
    for (const { body } of [replaced, own]) expect(endsInDays(body, before)).toBe(true);

    const late = await quickstart(world.url, { name: 'A day later', kind: 'r' });
    await world.advance(DAYS * DAY_MS);
    for (const ended of [bearer(replaced.body['token']), bearer(own.body['token']), late.headers])
      expect(await ask('whoami', {}, ended)).toMatchObject(dead);
  });
});

describe('the inbox after a lost key', () => {
  /** Long enough for the concurrent action on a slow machine. */
  const WAIT = '20';
  const BEGUN_MS = 300;

  /** Starts a waiting request, runs an action, then creates an item for the inbox. */
  async function waiting(museId: string, ask: () => Promise<Reply>, meanwhile: () => Promise<Reply>): Promise<Reply> {
    const answer = ask();
    await new Promise(resolve => setTimeout(resolve, BEGUN_MS));
    expect(await meanwhile()).toMatchObject({ status: 200 });
    await other.post('connect', { to: museId });
    return answer;
  }

  const bearing = (headers: HeaderFields) => () => send(world.url, '/api/inbox', { body: { wait: WAIT }, headers });
  const issue = async (agent: RawAgent) => {
    const { body } = await agent.post('token', { action: 'issue' });
    return { authorization: `Bearer ${body['token'] as string}` };
  };

  test('a waiting request whose key is replaced gets no items', async () => {
    const owner = await world.raw('Owner');
    const next = new RawAgent(world.url, () => world.now());
    next.museId = owner.museId;
    const replace = () =>
      owner.post('key', { public_key: next.publicKey, proof: next.proof(keyProof(owner.museId, next.publicKey)) });
    const answer = await waiting(owner.museId, () => owner.post('inbox', { wait: WAIT }), replace);
    expect(answer).toMatchObject({ status: 401, body: { code: 'signature_mismatch' } });
    // The items stay unread for the new key.
    const { body } = await next.post('inbox');
    expect((body['items'] as { kind: string }[]).map(({ kind }) => kind)).toEqual([
      'key_changed',
      'connection_request',
    ]);
  });

  test('a waiting request whose token is revoked gets no items', async () => {
    const owner = await world.raw('Revoking');
    const token = await issue(owner);
    const answer = await waiting(owner.museId, bearing(token), () => owner.post('token', { action: 'revoke' }));
    expect(answer).toMatchObject({ status: 401, body: { code: 'bad_token' } });
  });

  test('a waiting request whose muse is forgotten fails with that code', async () => {
    const owner = await world.raw('Leaving');
    const leave = () => owner.post('forget', { confirm: owner.museId });
    const answer = await waiting(owner.museId, () => owner.post('inbox', { wait: '2' }), leave);
    expect(answer).toMatchObject({ status: 401, body: { code: 'forgotten' } });
  });

  test('a waiting request survives other changes to its muse', async () => {
    const { museId, headers } = await quickstart(world.url, { name: 'Changing' });
    const change = () => send(world.url, '/api/profile', { body: { bio: 'Somebody else.' }, headers });
    const answer = await waiting(museId, bearing(headers), change);
    expect(answer).toMatchObject({ status: 200, body: { items: [{ kind: 'connection_request' }] } });
  });
});

describe('profile views', () => {
  const world = useWorld();
  let ada: RawAgent;
  beforeAll(async () => void (ada = await world.raw('Ada')));

  const profile = (headers: { [name: string]: string } = {}, query = '') =>
    send(world.url, `/api/muse/${ada.museId}${query}`, { headers });
  const viewsOf = ({ body }: { body: object }) => (body as { muse: { views: number } }).muse.views;
  const counted = async () => (await world.events()).filter(({ type }) => type === 'ViewsCounted');

  test('are counted once an hour, including a 304, and nothing else counts', async () => {
    const first = await profile();
    expect(viewsOf(first)).toBe(0);
    const etag = first.headers.get('etag')!;
    expect((await profile({ 'if-none-match': etag })).status).toBe(304);
    expect((await profile({ 'min-position': '0' }, '?utm_source=1')).status).toBe(200);
    await send(world.url, `/api/muse/${ada.museId}`, { method: 'HEAD' });
    await send(world.url, `/api/muse/${ada.museId}/activity`);
    await send(world.url, '/api/muse/agent_nobody0000');
    const { length } = await world.events();
    expect(viewsOf(await profile())).toBe(0);
    expect((await world.events()).length).toBe(length);
    await world.advance(HOUR_MS);
    await waitUntil(async () => (await counted()).length > 0);
    await world.settle();
    const later = await profile();
    expect(viewsOf(later)).toBe(4);
    // The view count alone must not change the etag.
    expect([later.headers.get('etag'), etag.slice(0, 3)]).toEqual([etag, 'W/"']);
    expect((await profile({ 'if-none-match': etag })).status).toBe(304);
    await ada.post('profile', { bio: 'Reads what "views":12 others read.' });
    await world.settle();
    const changed = await profile();
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(viewsOf(changed)).toBe(4);
  });

  test('are written at an orderly stop', async () => {
    const before = (await counted()).length;
    await profile();
    await world.restart();
    expect((await counted()).length).toBe(before + 1);
    expect(viewsOf(await profile())).toBeGreaterThan(4);
    const { body } = await send(world.url, `/api/events?types=ViewsCounted`);
    expect(body['events']).toMatchObject([{ actor: 'service', data: { views: { [ada.museId]: 4 } } }, {}]);
  });
});
