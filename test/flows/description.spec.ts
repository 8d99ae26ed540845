import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { DescribedService, type CallOptions } from '../described-service.js';
import { newIdempotencyKey, RawAgent, type Reply } from '../raw-agent.js';
import { decisionFile } from '../world/record-decisions.js';
import { useWorld } from '../use-world.js';
import { paymentHeader } from '../x402.js';
import { showsOperator, usesKeys, usesNetwork, usesWebhooks } from './description.muses.js';
import { readsItself, readsLists, showsPictures } from './description.reads.js';
import { type Calling, usesFeed, usesInstantTasks, usesProjects } from './description.work.js';

/** Calls each operation with the example from its description and checks each response against its schema. */
const world = useWorld({ settings: { SECURITY_CONTACT: 'mailto:security@example.org' } });
let api: DescribedService;
let poster: RawAgent;
let worker: RawAgent;
let checker: RawAgent;
beforeAll(async () => {
  api = await DescribedService.of(world.url);
  poster = await world.raw('poster');
  worker = await world.raw('worker');
  checker = await world.raw('checker');
});

const free = { budget_usd: '' };

async function ok(id: string, sent: CallOptions = {}): Promise<JsonObject> {
  const reply = await api.call(id, sent);
  expect([id, reply.status, reply.body]).toEqual([id, 200, reply.body]);
  return reply.body;
}

async function refused(id: string, status: number, code: string, sent: CallOptions = {}): Promise<Reply> {
  const reply = await api.call(id, sent);
  expect([id, reply.status, reply.body['code']]).toEqual([id, status, code]);
  return reply;
}

/** Asks for the price, then sends the request again with the payment. */
async function paid(id: string, sent: CallOptions & { as: RawAgent }): Promise<JsonObject> {
  const offer = await refused(id, 402, 'payment_required', sent);
  return ok(id, { ...sent, headers: await paymentHeader(sent.as.wallet, offer, world.now()) });
}

async function hired(fields: { readonly [name: string]: string } = free): Promise<{ role: string; hire: string }> {
  const { role } = (await (fields['budget_usd'] === '' ? ok : paid)('job', { as: poster, fields })) as { role: string };
  await ok('apply', { as: worker, fields: { role } });
  const answer = await ok('hire', { as: poster, fields: { role, to: worker.museId } });
  return { role, hire: JSON.stringify(answer['hire']) };
}

const calling = (): Calling => ({ ok, refused, paid, hired, free, world, poster, worker, checker });

describe('identities', () => {
  test('start, join and identify themselves', async () => {
    const { token } = (await ok('quickstart')) as { token: string };
    const bearer = { authorization: `Bearer ${token}` };
    await ok('whoami', { as: bearer });
    await ok('join', { as: bearer });
    await refused('quickstart', 400, 'name', { only: {} });
    await refused('quickstart', 409, 'name_taken', { fields: { name: 'poster' } });
    await ok('quickstart', { only: { bio: 'Edits.', skills: 'french,€', referred_by: 'nobody' } });
    await refused('whoami', 401, 'bad_token', { as: { authorization: `Bearer service_tok_${'a'.repeat(43)}` } });
    await refused('whoami', 401, 'unsigned');
  });

  test('register and act only after joining', async () => {
    const agent = new RawAgent(world.url, () => world.now());
    const own = { public_key: agent.publicKey, name: 'registered' };
    const { muse_id } = (await ok('register', { as: agent, fields: own })) as { muse_id: string };
    agent.museId = muse_id;
    await ok('whoami', { as: agent });
    await refused('job', 403, 'join_first', { as: agent });
    const other = new RawAgent(world.url, () => world.now());
    await refused('register', 409, 'name_taken', { as: other, fields: { ...own, public_key: other.publicKey } });
    await ok('forget', { as: agent, fields: { confirm: muse_id } });
  });

  test('become verified at once or later', async () => {
    const agent = new RawAgent(world.url, () => world.now());
    await world.fund(agent.wallet.address);
    const fields = { public_key: agent.publicKey, name: 'identified', wallet: agent.wallet.address };
    await paid('identity', { as: agent, fields });
    await ok('identity', { as: agent, fields });
    await paid('verify', { as: checker, fields: { wallet: checker.wallet.address } });
    await ok('verify', { as: checker, fields: { wallet: checker.wallet.address } });
    await paid('message', { as: poster, fields: { to: checker.museId } });
    await refused('verify', 409, 'wallet_taken', { as: poster, fields: { wallet: checker.wallet.address } });
    await showsOperator(calling());
    await refused('verify', 400, 'wallet', { as: poster, fields: { wallet: '0x1' } });
  });

  test('exchange their tokens and keys', () => usesKeys(calling()));

  test('create, test, rotate, replay and delete webhooks', () => usesWebhooks(calling()));

  test('change their profile', async () => {
    await ok('profile', { as: worker });
    await refused('profile', 409, 'name_taken', { as: worker, fields: { name: 'poster' } });
    expect(await ok('profile', { as: worker, fields: { nickname: 'W' } })).toMatchObject({ ignored: ['nickname'] });
  });

  test('connect and end a connection', () => usesNetwork(calling()));
});

describe('work', () => {
  test('is applied for, withdrawn from and closed', async () => {
    const { role } = (await ok('job', { as: poster, fields: free })) as { role: string };
    await ok('apply', { as: worker, fields: { role } });
    await ok('applications', { as: poster, fields: { role } });
    await refused('applications', 403, 'not_the_poster', { as: worker, fields: { role } });
    await ok('withdraw', { as: worker, fields: { role } });
    await refused('withdraw', 409, 'not_an_applicant', { as: worker, fields: { role } });
    await refused('apply', 403, 'own_job', { as: poster, fields: { role } });
    await refused('apply', 404, 'not_found', { as: worker, fields: { role: 'job-1' } });
    await ok('close', { as: poster, fields: { role } });
    await refused('apply', 409, 'role_closed', { as: worker, fields: { role } });
    await refused('hire', 409, 'role_closed', { as: poster, fields: { role, to: worker.museId } });
  });

  test('is delegated and followed', async () => {
    const { role } = (await ok('delegate', { as: poster, fields: free })) as { role: string };
    await paid('delegate', { as: poster });
    await refused('delegate', 400, 'unknown_field', { as: poster, fields: { budgt: '1', budget_usd: null } });
    await world.settle();
    await ok('get_delegate', { path: { role } });
    await refused('get_delegate', 404, 'not_found', { path: { role: 'job-1' } });
    await ok('tasks', { as: poster, fields: { role } });
    await ok('tasks', { as: poster, only: { limit: '1' } });
    await refused('tasks', 404, 'not_found', { as: worker, fields: { role } });
  });

  test('is ended before a delivery', async () => {
    const { hire } = await hired();
    await ok('hires', { as: worker });
    await ok('hires', { as: poster, fields: { as: 'poster', open: '1' } });
    await refused('accept', 409, 'not_delivered', { as: poster, fields: { hire } });
    await ok('end_hire', { as: worker, fields: { hire } });
    await refused('deliver', 409, 'hire_ended', { as: worker, fields: { hire, url: world.page('late') } });
  });

  test('is delivered, rechecked, disputed, accepted and paid', async () => {
    const { role, hire } = await hired({ budget_usd: '10' });
    await ok('deliver', { as: worker, fields: { hire, url: world.page('bonjour') } });
    await refused('end_hire', 409, 'delivered_already', { as: worker, fields: { hire } });
    await refused('recheck', 403, 'not_a_third_party', { as: worker, fields: { hire } });
    const { recheck } = (await ok('recheck', { as: checker, fields: { hire } })) as { recheck: number };
    await ok('recheck_reply', { as: worker, fields: { hire, recheck: String(recheck) } });
    await ok('dispute', { as: poster, fields: { hire } });
    await refused('dispute', 409, 'already_disputed', { as: worker, fields: { hire } });
    await ok('dispute', { as: poster, only: { hire, withdraw: 'true' } });
    await ok('accept', { as: poster, fields: { hire } });
    await refused('deliver', 409, 'already_accepted', { as: worker, fields: { hire, url: world.page('again') } });
    await paid('pay', { as: poster, fields: { hire } });
    await ok('pay', { as: poster, fields: { hire } });
    await world.settle();
    await ok('get_role', { path: { slug: role } });
    await ok('get_record_hire', { path: { hire } });
    await ok('get_record_application', { path: { key: `${role}:${worker.museId}` } });
  });
});

describe('the feed', () => {
  test('takes posts, replies, reactions and promotions', () => usesFeed(calling()));
  test('shows projects and crews that are founded, joined and left', () => usesProjects(calling()));
  test('instant tasks are requested, solved and read', () => usesInstantTasks(calling()));
});

describe('reads', () => {
  beforeAll(() => world.settle());

  test('return lists and counters', () => readsLists(calling()));

  test('return muses and their signed records', async () => {
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
    const { items } = (await ok('get_feed', { query: '?limit=50' })) as unknown as { items: { id: number }[] };
    for (const { id } of items) await ok('get_post', { path: { id: String(id) } });
    await refused('get_post', 404, 'not_found', { path: { id: '1' } });
    await refused('get_record_hire', 404, 'not_found', { path: { hire: '1' } });
    await refused('get_record_application', 404, 'not_found', { path: { key: 'job-1:agent_0000000000' } });
    await refused('get_role', 404, 'not_found', { path: { slug: 'job-1' } });
  });

  test('return pictures', () => showsPictures(calling()));

  test('return the description itself and the faucet', () => readsItself(calling()));
});

describe('responses of every kind of operation', () => {
  test('refuse a write without a signature, by a stranger, or with half a signature', async () => {
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
  const names = api.operations.map(({ id }) => id);
  expect(names.filter(name => !api.called.has(name) && !isOfAnotherFlow(name))).toEqual([]);
});
