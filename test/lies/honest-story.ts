import { expect } from '@jest/globals';
import { feedSource } from '#libs/audit/sources/feed.js';
import { Findings } from '#libs/audit/findings.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { Service } from '#libs/domain/service.js';
import { issuerKeyName } from '#libs/issuer/issuer.js';
import { callingOf, DESCRIBED_WRITES } from '../flows/description.story.js';
import { operatorBeside } from '../flows/operator-beside.js';
import { hireWithEscrow } from '../escrow-payment.js';
import { waitUntil } from '../wait-until.js';
import { JOB, quickstart, RawAgent, requireOk, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** An honest log as its feed shows it, and the keys that a lying operator needs to make it again. */
export interface HonestStory {
  readonly events: readonly PublicEvent[];
  /** Seeds of agents by their public key. */
  readonly seeds: ReadonlyMap<string, Uint8Array>;
  readonly issuerSeed: Uint8Array;
}

let story: Promise<HonestStory> | undefined;

/** The story is told once for all files of a worker. */
export const honestStory = (): Promise<HonestStory> => (story ??= tell());

async function tell(): Promise<HonestStory> {
  const world = await World.start();
  try {
    const calling = await callingOf(world);
    for (const [, write] of DESCRIBED_WRITES) await write(calling);
    const { poster, worker, checker, api } = calling;
    await byToken(world, worker);
    await withDeadline(world, poster, worker);
    const paying = await withPayTerm(world);
    const secured = await releaseEscrow(world);
    const further = await endings(world, poster, checker);
    await world.settle();
    expect(await world.audit()).toEqual(CLEAN);
    return await storyOf(world, [...api.callers, poster, worker, checker, ...secured, ...paying, ...further]);
  } finally {
    await world.stop();
  }
}

export async function storyOf(world: World, agents: readonly RawAgent[]): Promise<HonestStory> {
  const events: PublicEvent[] = [];
  for await (const event of feedSource(world.url).events(new Findings())) events.push(event);
  const seeds = new Map(agents.map(({ publicKey, seed }) => [publicKey, seed]));
  return { events, seeds, issuerSeed: await issuerSeedOf(world) };
}

export async function issuerSeedOf({ service: { stores } }: World): Promise<Uint8Array> {
  const { keys } = (await stores.journal.load(Service.source())).state;
  return (await stores.vault.get(issuerKeyName(keys[0]!.kid))) as Uint8Array;
}

/** Work of agents that have only a token. */
async function byToken(world: World, worker: RawAgent): Promise<void> {
  const poster = await quickstart(world.url, { name: 'posts by token' });
  const call = async (endpoint: string, body: object, { headers } = poster) =>
    requireOk(await send(world.url, `/api/${endpoint}`, { body, headers }));
  const other = await quickstart(world.url, { name: 'works by token' });
  const role = textOf(await call('job', JOB), 'role');
  await call('apply', { role, note: 'Gladly.' }, other);
  const hire = textOf(await call('hire', { role, to: other.museId }), 'hire');
  await call('deliver', { hire, url: world.page('by token') }, other);
  await call('accept', { hire, note: 'Good.' });
  const post_id = textOf(await call('post', { text: 'Posted by token.' }, other), 'id');
  await call('react', { post_id, type: 'like' });
  await call('profile', { bio: 'Only has a token.' }, other);
  await call('connect', { to: worker.museId });
  await worker.ok('connect', { to: poster.museId });
  await call('recommend', { to: worker.museId, text: 'Works well and answers every question.' });
}

/** A delivery within its time. */
async function withDeadline(world: World, poster: RawAgent, worker: RawAgent): Promise<void> {
  const { hire } = await poster.hire(worker, { deliver_hours: '24' });
  await worker.ok('deliver', { hire, url: world.page('in time', '/in-time') });
}

/** A wage that is due, then paid, to a worker whose wallet auditors know. */
async function withPayTerm(world: World): Promise<RawAgent[]> {
  const [poster, worker] = await world.raws('owes a wage', 'waits for a wage');
  await worker.buy('verify', { wallet: worker.wallet.address });
  const { hire } = await poster.hire(worker, { budget_usd: '10' });
  await worker.ok('deliver', { hire, url: world.page('to be paid', '/to-be-paid') });
  await poster.ok('accept', { hire });
  await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('WageDue'));
  await poster.buy('pay', { hire });
  return [poster, worker];
}

/** A wage that an escrow holds, and releases. */
async function releaseEscrow(world: World): Promise<RawAgent[]> {
  const [poster, worker] = await world.raws('secures a wage', 'works for an escrow');
  const { hire } = await hireWithEscrow(poster, worker);
  await waitUntil(async () => (await world.counts('EscrowSecured'))[0]! > 0);
  await worker.ok('deliver', { hire, url: world.page('secured') });
  await poster.ok('accept', { hire });
  await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('Paid'));
  return [poster, worker];
}

/** Offers a job to one agent that has proven its skill and to others that list it. */
async function offer(world: World, poster: RawAgent, listing: readonly RawAgent[]): Promise<void> {
  const [proving] = await world.raws('has proven');
  const { hire } = await poster.hire(proving, { skills: 'french' });
  await proving.ok('deliver', { hire, url: world.page('french') });
  for (const agent of listing) await agent.ok('profile', { skills: 'french,ocr' });
  await world.settle();
  await poster.ok('delegate', { task: 'Translate the manual into French.', skills: 'french,ocr' });
}

/** Agents that are linked, suspended and erased with work that has not ended. */
async function endings(world: World, poster: RawAgent, checker: RawAgent): Promise<RawAgent[]> {
  const agents = await world.raws('leaves work', 'is linked', 'links', 'is suspended', 'has no wallet');
  const [leaving, linked, linking, suspended, unpaid] = agents;
  await unpaid.ok('profile', { payout_address: '' });
  const role = await poster.postJob({ budget_usd: '10' });
  await unpaid.ok('apply', { role, note: 'Gladly.', ask_usd: '9' });
  const hire = textOf(await poster.ok('hire', { role, to: unpaid.museId }), 'hire');
  await poster.ok('ask_payout', { hire });
  for (const agent of [leaving, linked]) {
    await agent.postJob();
    await poster.hire(agent);
    await agent.ok('apply', { role: await poster.postJob(), note: 'Gladly.' });
    await agent.connect(checker);
    await agent.ok('post', { text: 'Here is work.' });
  }
  await suspended.ok('profile', { bio: 'To be suspended.' });
  await suspended.ok('token', { action: 'issue' });
  await suspended.ok('profile', { bio: '' });
  await operatorBeside(world, ['suspend', suspended.museId, '--reason', 'posts the same again']);
  await operatorBeside(world, ['reinstate', suspended.museId]);
  await leaving.ok('project', { name: 'Left handbook', one_line: 'A book.', about: 'A book of all hands.' });
  const disputed = await leaving.hire(suspended);
  await suspended.ok('deliver', { hire: disputed.hire, url: world.page('disputed') });
  await leaving.ok('dispute', { hire: disputed.hire, reason: 'This is not what was asked for.' });
  await offer(world, poster, [checker, leaving]);
  requireOk(await linking.link(linked));
  await leaving.ok('forget', { confirm: leaving.museId });
  return [...agents];
}
