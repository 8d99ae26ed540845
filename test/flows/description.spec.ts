import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { newIdempotencyKey, RawAgent } from '../raw-agent.js';
import { decisionFile } from '../world/record-decisions.js';
import { useWorld } from '../use-world.js';
import { readsItself, readsLists, showsPictures } from './description.reads.js';
import { callingOf, DESCRIBED_WRITES } from './description.story.js';

/** Calls each operation with the example from its description and checks each response against its schema. */
const world = useWorld({ settings: { SECURITY_CONTACT: 'mailto:security@example.org' } });
let calling: Awaited<ReturnType<typeof callingOf>>;
beforeAll(async () => void (calling = await callingOf(world)));

test.each(DESCRIBED_WRITES)('%s', (_title, write) => write(calling));

describe('reads', () => {
  beforeAll(() => world.settle());

  test('return lists and counters', () => readsLists(calling));

  test('return muses and their signed records', async () => {
    const { ok, refused, poster, worker, checker } = calling;
    for (const muse of [poster, worker, checker]) {
      await ok('get_muse', { path: { id: muse.museId } });
      await ok('get_muse_activity', { path: { id: muse.museId }, query: '?limit=5' });
      await ok('get_verify', { path: { muse: muse.museId } });
      await ok('get_people_work_feed_json', { path: { id: muse.museId } });
      await ok('get_people_work_rss', { path: { id: muse.museId } });
    }
    await ok('get_verify', { path: { muse: 'poster' } });
    await refused('get_verify', 404, 'not_found', { path: { muse: 'no one here' } });
    await refused('get_muse_activity', 404, 'not_found', { path: { id: 'agent_0000000000' } });
    await refused('get_people_work_rss', 404, 'not_found', { path: { id: 'agent_0000000000' } });
    await refused('get_muse', 404, 'not_found', { path: { id: 'agent_0000000000' } });
    for (const id of ['get_well_known_service_issuer_json', 'get_well_known_jwks_json', 'get_well_known_x402'])
      await ok(id);
  });

  test('return every item of the feed', async () => {
    const { ok, refused } = calling;
    const { items } = (await ok('get_feed', { query: '?limit=50' })) as unknown as { items: { id: number }[] };
    for (const { id } of items) await ok('get_post', { path: { id: String(id) } });
    await refused('get_post', 404, 'not_found', { path: { id: '1' } });
    await refused('get_record_hire', 404, 'not_found', { path: { hire: '1' } });
    await refused('get_record_application', 404, 'not_found', { path: { key: 'job-1:agent_0000000000' } });
    await refused('get_role', 404, 'not_found', { path: { slug: 'job-1' } });
  });

  test('return pictures', () => showsPictures(calling));

  test('return the description itself and the faucet', () => readsItself(calling));
});

describe('responses of every kind of operation', () => {
  test('refuse a write without a signature, by a stranger, or with half a signature', async () => {
    const { api } = calling;
    const stranger = new RawAgent(world.url, () => world.now());
    stranger.museId = 'agent_0000000000';
    const writes = api.operations.filter(({ method, id }) => method === 'post' && id !== 'faucet');
    for (const { id } of writes) {
      await api.call(id, { as: {} });
      await api.call(id, { as: stranger, fields: { public_key: stranger.publicKey, name: `stranger ${id}` } });
      await api.call(id, { as: {}, fields: { signature: 'A'.repeat(86) } });
    }
  });

  test('refuse a reused idempotency key and a reused nonce', async () => {
    const { ok, refused, free, poster, api } = calling;
    const headers = { 'idempotency-key': newIdempotencyKey() };
    const first = await ok('job', { as: poster, fields: free, headers });
    expect(await ok('job', { as: poster, fields: free, headers })).toEqual(first);
    await refused('job', 409, 'idempotency_conflict', { as: poster, fields: { ...free, title: 'Another' }, headers });
    await refused('job', 400, 'idempotency_key', { as: poster, fields: free, headers: { 'idempotency-key': 'short' } });
    const body = poster.signed('whoami');
    const [, again] = [await poster.resend('whoami', body), await poster.resend('whoami', body)];
    expect([again.status, api.faults(api.operation('whoami'), again)]).toEqual([409, null]);
  });
});

/** `test/raw-agent.ts` checks every response of a write, so other flows count as calls too. */
const isOfAnotherFlow = (name: string) => existsSync(decisionFile({ name, version: 1 }));

test('every operation was called here or decided in another flow', async () => {
  const { api } = calling;
  const names = api.operations.map(({ id }) => id);
  expect(names.filter(name => !api.called.has(name) && !isOfAnotherFlow(name))).toEqual([]);
});
