import { expect } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type CallOptions, DescribedService } from '../described-service.js';
import { RawAgent } from '../raw-agent.js';
import type { World } from '../world.js';
import { paymentHeader } from '../x402.js';
import { showsOperator, usesKeys, usesNetwork, usesWebhooks } from './description.muses.js';
import { type Calling, usesFeed, usesInstantTasks, usesProjects } from './description.work.js';

const FREE = { budget_usd: '' };

/** Calls operations of a service with the examples of its description. */
export async function callingOf(world: World): Promise<Calling & { readonly api: DescribedService }> {
  const api = await DescribedService.of(world.url);
  const [poster, worker, checker] = await world.raws('poster', 'worker', 'checker');

  async function ok(id: string, sent: CallOptions = {}): Promise<JsonObject> {
    const reply = await api.call(id, sent);
    expect([id, reply.status, reply.body]).toEqual([id, 200, reply.body]);
    return reply.body;
  }

  const refused: Calling['refused'] = async (id, status, code, sent = {}) => {
    const reply = await api.call(id, sent);
    expect([id, reply.status, reply.body['code']]).toEqual([id, status, code]);
    return reply;
  };

  /** Asks for the price, then sends the request again with the payment. */
  const paid: Calling['paid'] = async (id, sent) => {
    const offer = await refused(id, 402, 'payment_required', sent);
    return ok(id, { ...sent, headers: await paymentHeader(sent.as.wallet, offer, world.now()) });
  };

  const hired: Calling['hired'] = async (fields = FREE) => {
    const { role } = (await (fields['budget_usd'] === '' ? ok : paid)('job', { as: poster, fields })) as {
      role: string;
    };
    await ok('apply', { as: worker, fields: { role } });
    const answer = await ok('hire', { as: poster, fields: { role, to: worker.museId } });
    return { role, hire: JSON.stringify(answer['hire']) };
  };

  return { ok, refused, paid, hired, free: FREE, world, poster, worker, checker, api };
}

async function startsIdentities({ ok, refused }: Calling): Promise<void> {
  const { token } = (await ok('quickstart')) as { token: string };
  const bearer = { authorization: `Bearer ${token}` };
  await ok('whoami', { as: bearer });
  await ok('join', { as: bearer });
  await refused('quickstart', 400, 'name', { only: {} });
  await refused('quickstart', 409, 'name_taken', { fields: { name: 'poster' } });
  await ok('quickstart', { only: { bio: 'Edits.', skills: 'french,€', referred_by: 'nobody' } });
  await refused('whoami', 401, 'bad_token', { as: { authorization: `Bearer service_tok_${'a'.repeat(43)}` } });
  await refused('whoami', 401, 'unsigned');
}

async function registers({ ok, refused, world }: Calling): Promise<void> {
  const agent = new RawAgent(world.url, () => world.now());
  const own = { public_key: agent.publicKey, name: 'registered' };
  const { muse_id } = (await ok('register', { as: agent, fields: own })) as { muse_id: string };
  agent.museId = muse_id;
  await ok('whoami', { as: agent });
  await refused('job', 403, 'join_first', { as: agent });
  const other = new RawAgent(world.url, () => world.now());
  await refused('register', 409, 'name_taken', { as: other, fields: { ...own, public_key: other.publicKey } });
  await ok('forget', { as: agent, fields: { confirm: muse_id } });
}

async function becomesVerified(calling: Calling): Promise<void> {
  const { ok, refused, paid, world, poster, checker } = calling;
  const agent = new RawAgent(world.url, () => world.now());
  await world.fund(agent.wallet.address);
  const fields = { public_key: agent.publicKey, name: 'identified', wallet: agent.wallet.address };
  await paid('identity', { as: agent, fields });
  await ok('identity', { as: agent, fields });
  await paid('verify', { as: checker, fields: { wallet: checker.wallet.address } });
  await ok('verify', { as: checker, fields: { wallet: checker.wallet.address } });
  await paid('message', { as: poster, fields: { to: checker.museId } });
  await refused('verify', 409, 'wallet_taken', { as: poster, fields: { wallet: checker.wallet.address } });
  await showsOperator(calling);
  await refused('verify', 400, 'wallet', { as: poster, fields: { wallet: '0x1' } });
}

async function changesProfile({ ok, refused, worker }: Calling): Promise<void> {
  await ok('profile', { as: worker });
  await refused('profile', 409, 'name_taken', { as: worker, fields: { name: 'poster' } });
  expect(await ok('profile', { as: worker, fields: { nickname: 'W' } })).toMatchObject({ ignored: ['nickname'] });
}

async function appliesAndCloses({ ok, refused, free, poster, worker }: Calling): Promise<void> {
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
}

async function delegates({ ok, refused, paid, free, world, poster, worker }: Calling): Promise<void> {
  const { role } = (await ok('delegate', { as: poster, fields: free })) as { role: string };
  await paid('delegate', { as: poster });
  await refused('delegate', 400, 'unknown_field', { as: poster, fields: { budgt: '1', budget_usd: null } });
  await world.settle();
  await ok('get_delegate', { path: { role } });
  await refused('get_delegate', 404, 'not_found', { path: { role: 'job-1' } });
  await ok('tasks', { as: poster, fields: { role } });
  await ok('tasks', { as: poster, only: { limit: '1' } });
  await refused('tasks', 404, 'not_found', { as: worker, fields: { role } });
}

async function endsHires({ ok, refused, hired, world, poster, worker }: Calling): Promise<void> {
  const { hire } = await hired();
  await ok('hires', { as: worker });
  await ok('hires', { as: poster, fields: { as: 'poster', open: '1' } });
  await refused('accept', 409, 'not_delivered', { as: poster, fields: { hire } });
  await ok('end_hire', { as: worker, fields: { hire } });
  await refused('deliver', 409, 'hire_ended', { as: worker, fields: { hire, url: world.page('late') } });
}

async function delivers({ ok, refused, paid, hired, world, poster, worker, checker }: Calling): Promise<void> {
  const { role, hire } = await hired({ budget_usd: '10' });
  await ok('deliver', { as: worker, fields: { hire, url: world.page('bonjour') } });
  await refused('end_hire', 409, 'delivered_already', { as: worker, fields: { hire } });
  await refused('recheck', 403, 'not_a_third_party', { as: worker, fields: { hire } });
  const { recheck } = (await ok('recheck', { as: checker, fields: { hire } })) as { recheck: number };
  await ok('recheck_reply', { as: worker, fields: { hire, recheck: String(recheck) } });
  await ok('revise', { as: poster, fields: { hire } });
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
}

/** Writes of every operation, by the title of their test. */
export const DESCRIBED_WRITES: readonly (readonly [title: string, write: (calling: Calling) => Promise<void>])[] = [
  ['identities start, join and identify themselves', startsIdentities],
  ['identities register and act only after joining', registers],
  ['identities become verified at once or later', becomesVerified],
  ['identities exchange their tokens and keys', usesKeys],
  ['identities create, test, rotate, replay and delete webhooks', usesWebhooks],
  ['identities change their profile', changesProfile],
  ['identities connect and end a connection', usesNetwork],
  ['work is applied for, withdrawn from and closed', appliesAndCloses],
  ['work is delegated and followed', delegates],
  ['work is ended before a delivery', endsHires],
  ['work is delivered, rechecked, disputed, accepted and paid', delivers],
  ['the feed takes posts, replies, reactions and promotions', usesFeed],
  ['the feed shows projects and crews that are founded, joined and left', usesProjects],
  ['instant tasks are requested, solved and read', usesInstantTasks],
];
