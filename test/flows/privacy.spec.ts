import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deriveAgentId, sha256Hex } from '#libs/kernel/ids.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { newIdempotencyKey, RawAgent, send, textOf } from '../raw-agent.js';
import { paymentHeader } from '../x402.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const TRIAL_ANSWER = 'The-answer-is-for-the-poster-alone';
const NOTE = 'Note-that-everybody-may-read';
const TITLE = 'Title-that-everybody-may-read';
const TOKEN = /service_tok_[A-Za-z0-9_-]{43}/;

/** Reads all bytes of the event log, including the write-ahead log. */
function logBytes(): string {
  const files = ['events.db', 'events.db-wal'].map(name => join(world.folder, 'data', name)).filter(existsSync);
  return Buffer.concat(files.map(name => readFileSync(name))).toString('latin1');
}

async function everyRead(role: string, hire: string, muses: RawAgent[]): Promise<string> {
  const paths = ['roles?all=1', `role/${role}`, 'feed', 'stats', 'x402', 'health', 'events?limit=1000'];
  const records = [`record/hire/${hire}`, ...muses.map(({ museId }) => `record/application/${role}:${museId}`)];
  const people = muses.flatMap(({ museId }) => [`muse/${museId}`, `verify/${museId}`]);
  const replies = await Promise.all([...paths, ...records, ...people].map(path => send(world.url, `/api/${path}`)));
  expect(replies.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
  return replies.map(({ body }) => JSON.stringify(body)).join('\n');
}

test('private values are shown to the parties only and personal values are sealed', async () => {
  const [poster, worker] = await world.raws('poster', 'worker');
  const fields = {
    title: TITLE,
    summary: 'Twenty characters at least.',
    done: 'a thing is done',
    trial: 'Why?',
    budget_usd: '1',
  };
  const offer = await poster.post('job', fields);
  const { body } = await poster.post('job', fields, await paymentHeader(poster.wallet, offer, world.now()));
  const role = body['role'] as string;
  const application = { role, note: NOTE, trial_answer: TRIAL_ANSWER };
  await worker.post('apply', application, { 'idempotency-key': newIdempotencyKey() });
  await worker.post('apply', { ...application, note: `${NOTE} edited` });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  await worker.post('deliver', { hire, url: world.page('done', '/where-it-is-delivered') });
  const wage = await paymentHeader(poster.wallet, await poster.post('pay', { hire }), world.now());
  expect(await poster.post('pay', { hire }, wage)).toMatchObject({ status: 200 });
  const lightning_address = 'private-lightning@example.com';
  const { body: started } = await send(world.url, '/api/quickstart', { body: { kind: 'x', lightning_address } });
  await world.settle();

  const shown = await everyRead(role, hire, [poster, worker]);
  expect(shown).toContain(NOTE);
  for (const secret of [TRIAL_ANSWER, worker.wallet.address, lightning_address, started['token'] as string]) {
    expect(shown.toLowerCase()).not.toContain(secret.toLowerCase());
    expect(logBytes().toLowerCase()).not.toContain(secret.toLowerCase());
  }
  for (const personal of [
    NOTE,
    TITLE,
    'headline of',
    'of a test',
    'where-it-is-delivered',
    '127.0.0.1',
    'poster@',
    'worker-',
  ])
    // The log names the address of the service itself.
    expect(logBytes().replaceAll(world.url, '')).not.toContain(personal);
  expect(logBytes()).not.toMatch(TOKEN);
  expect(logBytes()).toContain(role);
});

test('a guessed idempotency key reveals nothing about its account', async () => {
  const [key, body] = ['the-key-of-a-bad-generator', { kind: 'x' }];
  const made = await send(world.url, '/api/quickstart', { headers: { 'idempotency-key': key }, body });
  const guessed = `idempotency//quickstart/${sha256Hex(key)}/${sha256Hex(canonicalJson(body))}`;
  expect(made.body['muse_id']).toMatch(/^agent_/);
  expect(made.body['muse_id']).not.toBe(deriveAgentId(guessed));
  const again = await send(world.url, '/api/quickstart', { headers: { 'idempotency-key': key }, body });
  expect(again.body).toMatchObject({ muse_id: made.body['muse_id'], token: made.body['token'] });
});

test('an update without a change writes no event', async () => {
  const agent = await world.raw('the same again');
  const services =
    '[{"title":"A page","done":"It is there","price_usd":"10","turnaround_hours":24,"skills":["french"]}]';
  const profile = { bio: 'Bio-as-it-is', skills: 'French, OCR', services, lightning_address: 'me@pay.example' };
  const update = async (fields: { readonly [name: string]: string }) => {
    const before = (await world.events()).length;
    const { body } = await agent.post('profile', fields);
    return [body['changed'], (await world.events()).length - before];
  };
  const names = Object.keys(profile).sort();
  expect(await update(profile)).toEqual([names, 1]);
  expect(await update({ ...profile, skills: 'ocr ,french', kind: '' })).toEqual([['skills'], 1]);
  expect(await update({ ...profile, skills: 'ocr,french', kind: '' })).toEqual([[], 0]);
  expect(await update({ ...profile, skills: 'ocr,french', kind: 'poet' })).toEqual([['kind'], 1]);
  const empty = Object.fromEntries(names.map(name => [name, '']));
  expect(await update(empty)).toEqual([names, 1]);
  expect(await update(empty)).toEqual([[], 0]);
  expect(await update({ ...empty, kind: 'writer' })).toEqual([['kind'], 1]);
  expect(await update(profile)).toEqual([names, 1]);
  expect(await update(empty)).toEqual([names, 1]);
  expect(await agent.post('join', { headline: 'A new line', skills: '' })).toMatchObject({ body: { first: false } });
});
