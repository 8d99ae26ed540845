import { beforeAll, expect, test } from '@jest/globals';
import type { Journal } from '#libs/event-log/journal.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { Stores } from '#libs/setup/stores.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { overrideMethods } from '../doubles/override-methods.js';
import { correctAnswer, type Task } from '../instant-answers.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';

/** Fails the event log and the vault right after the event of a request. The response must confirm the request. */
const world = useWorld(() => World.start({ overrides: { stores } }));
let agent: RawAgent;
let worker: RawAgent;
let role: string;
beforeAll(async () => {
  agent = await world.raw('Poster');
  worker = await world.raw('Worker');
  const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done', seats: '6' };
  role = textOf(await agent.post('job', job), 'role');
  await worker.post('apply', { role, note: 'Gladly.' });
});

/** Type of the event whose append starts the outage. */
let lastWritten: string | null = null;
let isCut = false;

const stores = (opened: Stores): Stores => ({
  ...opened,
  journal: overrideMethods(opened.journal, {
    ...cut(['read', 'readAt', 'lastOf', 'load', 'loadWhole', 'erase']),
    append,
  }),
  vault: overrideMethods(opened.vault, cut(['get', 'list', 'destroy', 'putIfAbsent'])),
});

const cut = (names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, (real: object, ...args: never[]) => unlessCut(real, name, args)]));

async function unlessCut(real: object, name: string, args: never[]) {
  if (isCut) throw new Unavailable('The event log');
  return (real as { readonly [name: string]: (...args: never[]) => unknown })[name]!(...args);
}

async function append(real: Journal, ...args: Parameters<Journal['append']>) {
  if (isCut) throw new Unavailable('The event log');
  const written = await real.append(...args);
  isCut ||= written.some(({ type }) => type === lastWritten);
  return written;
}

/** Runs a request whose event starts an outage that ends after the response. */
async function duringOutage<T>(type: string, request: () => Promise<T>): Promise<T> {
  await world.settle();
  const [before] = await world.counts(type);
  lastWritten = type;
  const reply = await request();
  const wasCut = isCut;
  [lastWritten, isCut] = [null, false];
  expect([wasCut, await world.counts(type)]).toEqual([true, [before! + 1]]);
  return reply;
}

async function answered(type: string, caller: RawAgent, endpoint: string, fields: SignableFields) {
  const reply = await duringOutage(type, () => caller.post(endpoint, fields));
  expect([reply.status, reply.body]).toEqual([200, reply.body]);
  return reply.body;
}

test('returns 200 for a post that mentions a muse', async () => {
  const text = `Hello @${worker.museId}.`;
  const mentions = [{ name: null, muse_id: worker.museId }];
  expect(await answered('Posted', agent, 'post', { text })).toMatchObject({ mentions });
});

test('returns 200 for every step of a hire', async () => {
  const note = 'Most gladly.';
  expect(await answered('ApplicationEdited', worker, 'apply', { role, note })).toMatchObject({ edited: true });
  const hired = await answered('SeatFilled', agent, 'hire', { role, to: worker.museId });
  expect(hired).toMatchObject({ hire: expect.any(Number), position: { role } });
  const hire = JSON.stringify(hired['hire']);
  await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).includes('Hired'));
  const delivered = await answered('Delivered', worker, 'deliver', { hire, url: world.page('done') });
  expect(delivered).toMatchObject({ settlement: 'delivered', digest: null });
  const reason = 'The page is not in French as agreed.';
  expect(await answered('Disputed', agent, 'dispute', { hire, reason })).toMatchObject({ dispute: { reason } });
  const withdrawn = { dispute: { reason: null, state: 'withdrawn' } };
  expect(await answered('DisputeWithdrawn', agent, 'dispute', { hire, withdraw: 'true' })).toMatchObject(withdrawn);
});

test('carries out every command on a hire whose own event is not written yet', async () => {
  const hired = async (name: string) => {
    const other = await world.raw(name);
    await other.post('apply', { role, note: 'Gladly.' });
    const { hire } = await answered('SeatFilled', agent, 'hire', { role, to: other.museId });
    return { other, hire: JSON.stringify(hire) };
  };
  const delivers = await hired('Delivers');
  const url = world.page('at once');
  expect(await delivers.other.post('deliver', { hire: delivers.hire, url })).toMatchObject({ status: 200 });
  const ends = await hired('Quits');
  const reason = 'No time for it.';
  expect(await agent.post('end_hire', { hire: ends.hire, reason })).toMatchObject({ status: 200 });
  const waits = await hired('Waits');
  const early = await agent.post('accept', { hire: waits.hire });
  expect(early).toMatchObject({ status: 409, body: { code: 'not_delivered' } });
  const unknown = await agent.post('end_hire', { hire: '999999999999', reason });
  expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found', field: 'hire' } });
});

test('returns 200 for a hire that ends, and frees the seat afterwards', async () => {
  const other = await world.raw('Ends');
  await other.post('apply', { role, note: 'Gladly.' });
  const ended = textOf(await agent.post('hire', { role, to: other.museId }), 'hire');
  const fields = { hire: ended, reason: 'No time for it.' };
  expect(await answered('HireEnded', other, 'end_hire', fields)).toMatchObject({ ended: { by: other.museId } });
  await waitUntil(async () => (await world.eventTypes(`job-${role}`)).includes('SeatFreed'));
});

test('hires for a seat whose hire has just ended', async () => {
  const job = { title: 'One seat', summary: 'Twenty characters at least.', done: 'a thing is done' };
  const one = textOf(await agent.post('job', job), 'role');
  const [first, second] = [await world.raw('First'), await world.raw('Second')];
  for (const each of [first, second]) await each.post('apply', { role: one, note: 'Gladly.' });
  const hire = textOf(await agent.post('hire', { role: one, to: first.museId }), 'hire');
  expect(await agent.post('hire', { role: one, to: second.museId })).toMatchObject({ body: { code: 'no_seats' } });
  await answered('HireEnded', first, 'end_hire', { hire, reason: 'No time for it.' });
  expect(await agent.post('hire', { role: one, to: second.museId })).toMatchObject({ status: 200 });
});

test('returns 200 for a reaction that replaces another one', async () => {
  const post_id = textOf(await agent.post('post', { text: 'React to this.' }), 'id');
  await worker.post('react', { post_id, type: 'like' });
  const reply = await answered('Reacted', worker, 'react', { post_id, type: 'funny' });
  expect(reply).toMatchObject({ type: 'funny', reactions: { types: { funny: 1 } } });
});

test('returns 200 for a passed instant task, and writes its hire afterwards', async () => {
  const given = await worker.post('instant');
  const task = given.body['task'] as unknown as Task;
  const answer = await correctAnswer(world.url, task, worker.seed);
  const [before] = await world.counts('Accepted');
  const body = worker.signed('submit', { id: String(task.id), answer });
  const reply = await duringOutage('InstantTaskAnswered', () => send(world.url, '/api/instant/submit', { body }));
  expect(reply).toMatchObject({ status: 200, body: { passed: true, next_jobs: [] } });
  await waitUntil(async () => (await world.counts('Accepted'))[0] === before! + 1);
});

test('returns 200 for a link, and completes it afterwards', async () => {
  const earlier = await world.raw('Earlier');
  const proof = earlier.proof(`service-link-v1\n${worker.museId}\n${earlier.museId}`);
  await answered('Linked', worker, 'link', { to: earlier.museId, proof });
  await waitUntil(async () => (await world.eventTypes(`muse-${worker.museId}`)).includes('EarlierLinked'));
});

test('returns 200 for a webhook, and destroys removed secrets afterwards', async () => {
  const url = 'https://example.com/hooks';
  const { webhook } = await answered('WebhookCreated', agent, 'webhook', { action: 'create', url });
  const { id } = webhook as unknown as { readonly id: number };
  const { vault } = world.service.stores;
  const secrets = () => vault.list(`webhook/${agent.museId}/${id}/`, 10);
  await answered('WebhookRotated', agent, 'webhook', { action: 'rotate', id: String(id) });
  expect(await secrets()).toHaveLength(2);
  const removed = await answered('WebhookStopped', agent, 'webhook', { action: 'remove', id: String(id) });
  expect(removed).toMatchObject({ removed: true });
  await waitUntil(async () => (await secrets()).length === 0);
});

test('returns 200 for an erasure, and destroys the key afterwards', async () => {
  const gone = await world.raw('Gone');
  expect(await answered('Forgotten', gone, 'forget', { confirm: gone.museId })).toMatchObject({ forgotten: true });
  const { vault } = world.service.stores;
  await waitUntil(async () => (await vault.get(`seal/${gone.museId}`)) === 'destroyed');
});

test('returns 200 for an inbox page that is marked as handed out', async () => {
  for (const [from, to] of [
    [agent, worker],
    [worker, agent],
  ] as const)
    await from.post('connect', { to: to.museId });
  await agent.post('message', { to: worker.museId, text: 'Hello.' });
  const { items } = await answered('InboxHandedOut', worker, 'inbox', {});
  expect(items).toContainEqual(expect.objectContaining({ kind: 'message', text: 'Hello.' }));
});
