import { createPrivateKey, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AgentClient, SignedDocument } from '#libs/client/index.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { publicKeyNoble, verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { Pages } from '../pages.js';
import { send } from '../raw-agent.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { makeFolder } from '../temporary-folder.js';

const BELIEVED_MS = 10 * MINUTE_MS;
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const seed = randomBytes(32);
const folder = makeFolder();
const keyFile = join(folder, 'issuer.pem');
const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };
let pages: Pages;
let poster: AgentClient;
let worker: AgentClient;

beforeAll(async () => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  writeFileSync(keyFile, key.export({ format: 'pem', type: 'pkcs8' }));
  pages = await Pages.start();
});
const world = useWorld(() => World.start({ settings: { FETCH_ALLOW: pages.host, ISSUER_KEY_FILE: keyFile } }));
beforeAll(async () => {
  [poster, worker] = (await world.agents('poster', 'worker')) as [AgentClient, AgentClient];
});
afterAll(async () => {
  await pages.stop();
});

const get = async (path: string) => (await send(world.url, path)).body;
const record = (hire: number) => world.reader().hireRecord({ hire });

async function hired(): Promise<{ readonly role: string; readonly hire: number }> {
  const { role } = await poster.job(job);
  await worker.apply({ role, note: 'Gladly.' });
  return { role, hire: (await poster.hire({ role, to: worker.museId })).hire };
}

async function delivered(path: string): Promise<number> {
  const { hire } = await hired();
  await worker.deliver({ hire, url: pages.url + path });
  return hire;
}

/** Verifies a document from its bytes with a key from both key documents. Returns its payload. */
async function verified({ payload, signature, key, kid }: SignedDocument): Promise<JsonObject> {
  expect(key).toBe(`${world.url}/.well-known/service-issuer.json`);
  const issuer = (await (await fetch(key)).json()) as { keys: { kid: string; public_key: string }[] };
  const jwks = (await get('/.well-known/jwks.json')) as unknown as { keys: { kid: string; x: string }[] };
  const publicKey = issuer.keys.find(each => each.kid === kid)!.public_key;
  expect(jwks.keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x: publicKey }]);
  expect(verifyNoble(publicKey, Buffer.from(payload, 'utf8'), signature)).toBe(true);
  expect(verifyNoble(publicKey, Buffer.from(`${payload} `, 'utf8'), signature)).toBe(false);
  const parsed = JSON.parse(payload) as JsonObject;
  expect(canonicalJson(parsed)).toBe(payload);
  expect(parsed['issuer']).toBe(world.url);
  return parsed;
}

interface Named {
  readonly type: string;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly at: number | string;
}

const named = ({ type, id, stream, revision, at }: Named) => [type, id, stream, revision, new Date(at).toISOString()];

/** Asserts that each state of a record appears in the public feed. Returns the event types. */
async function statesOf(payload: JsonObject): Promise<string[]> {
  const states = payload['states'] as unknown as Named[];
  const streams = [...new Set(states.map(({ stream }) => stream))];
  const feeds = await Promise.all(streams.map(stream => get(`/api/events?stream=${encodeURIComponent(stream)}`)));
  const shown = feeds.flatMap(({ events }) => events as unknown as Named[]).map(named);
  for (const state of states) expect(shown).toContainEqual(named(state));
  return states.map(({ type }) => type);
}

describe('the signing key', () => {
  test('was imported at the first start and is in the history of the log', async () => {
    const issuer = await world.reader().issuer();
    expect(issuer).toMatchObject({ alg: 'ed25519', issuer: world.url, public_key: publicKeyNoble(seed) });
    expect(issuer.keys).toMatchObject([{ kid: issuer.kid, public_key: issuer.public_key, until: null }]);
    const types = ['IssuerKeyAdded', 'OriginSet', 'FeeWalletSet', 'FeeWalletSet'];
    expect(await world.eventTypes('service')).toEqual(types);
  });
});

describe('a record', () => {
  test('for a paid hire is signed, complete and names its events', async () => {
    const { role } = await poster.job({ ...job, budgetUsd: '3', rail: 'usdg-robinhood' });
    await worker.apply({ role, note: 'Gladly: ünï ✓' });
    const { hire, evidence } = await poster.hire({ role, to: worker.museId });
    const { digest } = await worker.deliver({ hire, url: pages.put('/paid', 'a page'), note: 'There it is.' });
    const { payment } = await poster.pay({ hire });
    await world.settle();
    const payload = await verified(((await get(evidence)) as unknown as { record: SignedDocument }).record);
    expect(digest).toBe(sha256Hex('a page'));
    const parties = { poster: poster.museId, worker: worker.museId };
    expect(payload).toMatchObject({ kind: 'hire', hire, role, title: job.title, drift: null, ...parties });
    expect(payload).toMatchObject({
      delivery: { version: 1, url: `${pages.url}/paid`, note: 'There it is.', digest },
      wage: { amount: '3000000', usd: '3', token: 'USDG', rail: 'usdg-robinhood', network: expect.any(String) },
      payment: { tx: payment!.tx, network: 'robinhood', token: 'USDG', amount: '3000000', usd: '3' },
      hired_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(payload['note_commitment']).toBe(computeCommitment(payload['note_salt'] as string, 'Gladly: ünï ✓'));
    expect(await statesOf(payload)).toEqual(['Hired', 'Delivered', 'DeliveryRead', 'Paid']);
    expect((await record(hire)).record).toEqual((await record(hire)).record);
  });

  test('for an application is signed and complete, from applied to hired', async () => {
    const { role } = await poster.job(job);
    const { evidence } = await worker.apply({ role, note: 'Gladly.' });
    const shown = async () => (await get(evidence)) as unknown as { record: SignedDocument; live: JsonObject };
    const first = await verified((await shown()).record);
    expect(first).toMatchObject({ kind: 'application', role, worker: worker.museId, status: 'applied', hire: null });
    expect(await statesOf(first)).toEqual(['Applied']);
    await worker.apply({ role, note: 'Very gladly.' });
    const { hire } = await poster.hire({ role, to: worker.museId });
    await world.settle();
    const { record, live } = await shown();
    const last = await verified(record);
    expect([last['status'], last['hire']]).toEqual(['hired', hire]);
    expect(last['note_commitment']).toBe(computeCommitment(last['note_salt'] as string, 'Very gladly.'));
    expect(await statesOf(last)).toEqual(expect.arrayContaining(['Applied', 'ApplicationEdited']));
    expect(live).toEqual({ matches: null, checked_at: null });
  });
});

describe('a delivery at an address', () => {
  test('is compared once in ten minutes, and each change is recorded in both directions', async () => {
    pages.put('/drifts', 'as delivered');
    const hire = await delivered('/drifts');
    const first = await Promise.all(Array.from({ length: 5 }, () => record(hire)));
    expect(new Set(first.map(({ live }) => JSON.stringify(live))).size).toBe(1);
    expect(first[0]!.live).toMatchObject({ matches: true });
    expect(Math.abs(first[0]!.live.checked_at! - world.now())).toBeLessThan(5 * SECOND_MS);
    expect(pages.hits('/drifts')).toBe(2);
    const seen: [boolean | null, string | undefined][] = [];
    for (const text of ['changed', 'changed', 'changed again', 'as delivered']) {
      pages.put('/drifts', text);
      await world.advance(BELIEVED_MS - MINUTE_MS);
      const before = pages.hits('/drifts');
      await record(hire);
      expect(pages.hits('/drifts')).toBe(before);
      await world.advance(MINUTE_MS);
      const { live, record: signed } = await record(hire);
      const { drift } = (await verified(signed)) as { drift: { digest: string; was: string } | null };
      expect(drift?.was ?? sha256Hex('as delivered')).toBe(sha256Hex('as delivered'));
      seen.push([live.matches, drift?.digest]);
      expect(pages.hits('/drifts')).toBe(before + 1);
    }
    const [changed, again] = [sha256Hex('changed'), sha256Hex('changed again')];
    expect(seen).toEqual([
      [false, changed],
      [false, changed],
      [false, again],
      [true, undefined],
    ]);
    const types = await world.eventTypes(`hire-${hire}`);
    expect(types.slice(3)).toEqual(['DeliveryDrifted', 'DeliveryDrifted', 'DeliveryMatches']);
  });

  test('that is gone is neither a match nor a change', async () => {
    pages.put('/gone', 'here');
    const hire = await delivered('/gone');
    expect((await record(hire)).live).toMatchObject({ matches: true });
    pages.forget('/gone');
    await world.advance(BELIEVED_MS);
    expect((await record(hire)).live).toMatchObject({ matches: null, checked_at: expect.any(Number) });
    expect(await world.eventTypes(`hire-${hire}`)).toEqual(['Hired', 'Delivered', 'DeliveryRead']);
  });

  test('that is slow is awaited for two seconds, and its result is used later', async () => {
    pages.put('/slow', 'as delivered');
    const hire = await delivered('/slow');
    pages.put('/slow', 'changed', 6 * SECOND_MS);
    const began = performance.now();
    expect((await record(hire)).live).toEqual({ matches: null, checked_at: null });
    expect(performance.now() - began).toBeLessThan(5 * SECOND_MS);
    await sleep(5 * SECOND_MS);
    expect((await record(hire)).live).toMatchObject({ matches: false });
    expect(pages.hits('/slow')).toBe(2);
  });
});

describe('an unreadable delivery', () => {
  test('has no digest and is read once its address responds', async () => {
    const hire = await delivered('/late');
    const payloadOf = async () => JSON.parse((await record(hire)).record.payload) as JsonObject;
    expect(await payloadOf()).toMatchObject({ check_state: 'unreadable', delivery: { digest: null, read_at: null } });
    expect((await record(hire)).live).toEqual({ matches: null, checked_at: null });
    pages.put('/late', 'there at last');
    expect(pages.hits('/late')).toBe(1);
    await world.advance(MINUTE_MS);
    await waitUntil(async () => (await world.eventTypes(`hire-${hire}`)).length >= 4);
    await world.settle();
    const payload = await payloadOf();
    const delivery = { digest: sha256Hex('there at last'), read_at: expect.any(String) };
    expect(payload).toMatchObject({ check_state: null, delivery });
    expect(await statesOf(payload)).toEqual(['Hired', 'Delivered', 'DeliveryRead', 'DeliveryRead']);
    expect((await record(hire)).live).toMatchObject({ matches: true });
  });
});

describe('a credential', () => {
  test('belongs to the current hour, lasts a day and includes unverified muses', async () => {
    const { credential, ok: _ok, ...claims } = await world.reader().credential({ muse: worker.museId });
    const payload = await verified(credential!);
    const issued_at = Math.floor(world.now() / HOUR_MS) * HOUR_MS;
    expect(payload).toEqual({ ...claims, issuer: world.url, issued_at, expires_at: issued_at + 24 * HOUR_MS });
    expect(payload).toMatchObject({ muse_id: worker.museId, verified: false, wallet: null, tx: null, joined: true });
  });

  test('has the counts of the profile', async () => {
    expect(await worker.whoami()).toMatchObject({ wallet: null });
    const { earned, muse } = await worker.ownProfile();
    const claims = await world.reader().credential({ muse: worker.museId });
    expect(claims.receipts).toBe(earned.reduce((sum, { count }) => sum + count, 0));
    expect(claims.receipts).toBe(1);
    expect(muse).toMatchObject({ name: claims.name, verified: claims.verified });
  });
});
