import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { readArguments as auditorArguments } from '#apps/auditor/arguments.js';
import { runCommand as auditor } from '#apps/auditor/commands.js';
import { readArguments } from '#apps/operator/arguments.js';
import { runCommand } from '#apps/operator/commands.js';
import type { BackupManifest } from '#libs/backup/format.js';
import { putKeys } from '#libs/backup/vault-lines.js';
import type { ImportResult } from '#libs/backup/import.js';
import { houseSeed } from '#libs/features/identity/house-muse.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { Muse } from '#libs/domain/muse.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { readSettings } from '#libs/setup/settings.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { correctAnswer, type Task } from '../instant-answers.js';
import { type HeaderFields, quickstart, RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, newFolder, World } from '../world.js';

let world: World;
let poster: RawAgent;
let worker: RawAgent;
let role: string;
let newcomer: HeaderFields;
const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

beforeAll(async () => {
  world = await World.start();
  [poster, worker] = await world.raws('poster', 'worker');
  const wallet = Wallet.createRandom();
  await world.fund(wallet.address);
  await (await world.agent('payer', { wallet: wallet.privateKey })).verify({ wallet: wallet.address });
  role = (await poster.post('job', { ...job, trial: 'Which tense?' })).body['role'] as string;
  await worker.post('apply', { role, note: 'I am fluent.', trial_answer: 'Past.' });
  const hired = await poster.post('hire', { role, to: worker.museId });
  await worker.post('deliver', { hire: textOf(hired, 'hire'), url: world.page('bonjour') });
  const { task } = (await worker.post('instant')).body as unknown as { readonly task: Task };
  const answer = await correctAnswer(world.url, task, worker.seed);
  await worker.resend('instant/submit', worker.signed('submit', { id: String(task.id), answer }));
  newcomer = (await quickstart(world.url, { name: 'newcomer' })).headers;
  await world.settle();
});
afterAll(() => world.stop());

const settingsOf = (folder: string) => readSettings({ DATA_DIR: join(folder, 'data'), PORT: '1' });

async function operator(folder: string, ...argv: string[]): Promise<JsonObject> {
  return (await runCommand(readArguments(argv)!, settingsOf(folder))).json as JsonObject;
}

/** Public reads, without values that depend on the time of the request. */
async function reads(url: string): Promise<JsonObject[]> {
  const paths = ['/api/stats', `/api/muse/${worker.museId}`, `/api/role/${role}`, '/api/feed', '/api/roles'];
  const bodies = await Promise.all(paths.map(async path => (await send(url, path)).body));
  return bodies.map(body => JSON.parse(JSON.stringify(body).replaceAll(url, '')) as JsonObject);
}

/** Points the agent at another service. */
const at = (agent: RawAgent, url: string) => Object.assign(Object.create(agent) as RawAgent, { url });

describe('a backup', () => {
  let folder: string;
  let manifest: BackupManifest;
  beforeAll(async () => {
    folder = join(world.folder, 'backups', '1');
    const busy = Promise.all([1, 2, 3].map(n => poster.post('job', { ...job, title: `Job ${n}` })));
    manifest = (await operator(world.folder, 'backup', folder)) as unknown as BackupManifest;
    await busy;
  });

  test('is made during the service, in files only its owner can read', async () => {
    expect(readdirSync(folder).sort()).toEqual(['events.ndjson', 'manifest.json', 'vault.ndjson']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const lines = readFileSync(join(folder, 'events.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(manifest.events.count);
    expect(manifest).toMatchObject({ format: 'agent-job-network/backup', version: 1 });
  });

  test('needs an empty folder', async () => {
    await expect(operator(world.folder, 'backup', folder)).rejects.toThrow(`${folder} is not empty`);
  });

  test('contains no more clear text than a log without its vault', () => {
    expect(readFileSync(join(folder, 'events.ndjson'), 'utf8')).not.toContain('I am fluent.');
  });
});

describe('a backup that is restored', () => {
  let other: World;
  let before: JsonObject[];
  let count: number;
  beforeAll(async () => {
    const backup = join(world.folder, 'backups', '2');
    await world.settle();
    before = await reads(world.url);
    await operator(world.folder, 'backup', backup);
    const folder = newFolder();
    const restored = await operator(folder, 'restore', backup);
    const again = await runCommand(readArguments(['restore', backup])!, settingsOf(folder));
    expect(again).toEqual({ ok: true, json: restored, text: 'Nothing to restore: the log already has these events.' });
    count = restored['events'] as number;
    other = await World.start({ folder });
    await other.settle();
  });
  afterAll(() => other.stop());

  test('has the same reads, signatures and digests', async () => {
    expect(await reads(other.url)).toEqual(before);
    expect(await other.audit()).toEqual(CLEAN);
    const [one, two] = [await world.events(), await other.events()];
    const comparable = (events: typeof one) =>
      events.slice(0, count).map(({ id, stream, revision, at, data }) => ({ id, stream, revision, at, data }));
    expect(comparable(two)).toEqual(comparable(one));
  });

  test('keeps all identities and executes no request again', async () => {
    const there = at(worker, other.url);
    const { body } = await there.post('profile', { headline: 'Restored' });
    expect(body).toMatchObject({ ok: true });
    const again = new RawAgent(other.url);
    expect((await again.post('register', { name: 'worker', headline: 'Another' })).body['code']).toBe('name_taken');
    expect(await other.audit()).toEqual(CLEAN);
  });

  test('refuses a further restore into its stores', async () => {
    const another = join(world.folder, 'backups', '2');
    await expect(operator(other.folder, 'restore', another)).rejects.toThrow('The document store is not empty');
  });
});

describe('an export that is imported with another vault', () => {
  let other: World;
  let imported: ImportResult;
  let sourceCount: number;
  beforeAll(async () => {
    const file = join(world.folder, 'log.export');
    await auditor(auditorArguments(['export', file])!, {
      ...settingsOf(world.folder),
      baseUrl: world.url,
    });
    const kept = join(world.folder, 'kept');
    writeFileSync(kept, await (await fetch(`${world.url}/api/events/checkpoint`)).text());
    const issuer = (await send(world.url, '/.well-known/service-issuer.json')).body['public_key'] as string;
    const folder = newFolder();
    const args = [file, '--reason', 'moved', '--checkpoint', kept, '--issuer-key'];
    await expect(operator(folder, 'import', ...args, worker.publicKey)).rejects.toThrow(
      'is not an issuer key of the log',
    );
    imported = (await operator(folder, 'import', ...args, issuer)) as unknown as ImportResult;
    sourceCount = imported.events;
    const again = (await operator(folder, 'import', file)) as unknown as ImportResult;
    expect(again).toMatchObject({ events: sourceCount, claimed: imported.claimed, new_issuer_key: null });
    other = await World.start({ folder });
    await other.settle();
  });
  afterAll(() => other.stop());

  test('keeps every event and shows values without a key as erased', async () => {
    const [one, two] = [await world.events(), await other.events()];
    expect(two.slice(0, sourceCount).map(({ id, stream }) => [id, stream])).toEqual(
      one.slice(0, sourceCount).map(({ id, stream }) => [id, stream]),
    );
    expect(imported.erased).toBeGreaterThan(10);
    const [registered] = two.filter(({ stream }) => stream === Muse.streamName(worker.museId));
    expect(registered!.data).toMatchObject({ public_key: worker.publicKey, name: null });
    expect(await other.audit()).toEqual(CLEAN);
  });

  test('gets claims for every key and wallet, and a new issuer key with its origin', async () => {
    const own = (await other.events()).filter(({ cause }) => cause.startsWith('import/'));
    expect(own.filter(({ type }) => type === 'Claimed')).toHaveLength(imported.claimed);
    expect(imported.claimed).toBeGreaterThanOrEqual(5);
    const [added] = own.filter(({ type }) => type === 'IssuerKeyAdded');
    expect(added!.data).toMatchObject({ kid: imported.new_issuer_key });
    expect(added!.authorization).toMatchObject({
      mode: 'operator',
      reason: expect.stringContaining('moved (imported'),
    });
    const taken = at(worker, other.url);
    const { body } = await taken.post('register', { name: 'somebody else', headline: 'With a key that is taken' });
    expect(body['muse_id'] ?? worker.museId).toBe(worker.museId);
    expect((await other.events()).filter(({ type }) => type === 'Registered')).toHaveLength(5);
  });

  test('accepts neither old tokens nor the old key of the house', async () => {
    expect(imported).toMatchObject({ tokens_ended: 1, house_bound: true, after_checkpoint: expect.any(Number) });
    const profile = { headers: newcomer, body: { headline: 'With a token from before' } };
    expect((await send(world.url, '/api/profile', profile)).status).toBe(200);
    expect((await send(other.url, '/api/profile', profile)).body).toMatchObject({ code: 'bad_token' });
    const house = async ({ folder }: World) => {
      const vault = SqliteVault.open(join(folder, 'data', 'vault.db'));
      const seed = await houseSeed(vault).finally(() => vault.close());
      return Object.assign(at(worker, other.url), { museId: SYSTEM_ACCOUNT_ID, seed });
    };
    const headline = 'Posts the roles of another service';
    expect((await (await house(world)).post('profile', { headline })).body).toMatchObject({
      code: 'signature_mismatch',
    });
    expect((await (await house(other)).post('profile', { headline })).body).toMatchObject({ ok: true });
    expect(await other.audit()).toEqual(CLEAN);
  });

  test('lets muses act with their keys and seals their new values', async () => {
    const there = at(worker, other.url);
    expect((await there.post('profile', { name: 'Worker again', headline: 'Here now' })).body).toMatchObject({
      ok: true,
    });
    expect(await other.audit()).toEqual(CLEAN);
    await other.restart();
    expect((await send(other.url, `/api/muse/${worker.museId}`)).body).toMatchObject({
      muse: { name: 'Worker again' },
    });
    expect(await other.audit()).toEqual(CLEAN);
  });

  test('is not imported into a log with events', async () => {
    const file = join(world.folder, 'log.export');
    await expect(operator(world.folder, 'import', file)).rejects.toThrow('is not empty');
  });
});

describe('an export that is imported with its own vault', () => {
  test('restores the identical log without claims or new signatures', async () => {
    const [backup, file] = [join(world.folder, 'backups', '3'), join(world.folder, 'whole.export')];
    await operator(world.folder, 'backup', backup);
    const args = auditorArguments(['export', file])!;
    await auditor(args, { ...settingsOf(world.folder), baseUrl: world.url });
    const folder = newFolder();
    const vault = SqliteVault.open(join(folder, 'data', 'vault.db'));
    await putKeys(vault, join(backup, 'vault.ndjson'));
    await vault.close();
    const imported = (await operator(folder, 'import', file)) as unknown as ImportResult;
    expect(imported).toMatchObject({ erased: 0, hidden: 0, claimed: 0, new_issuer_key: null, open_payments: 0 });
    const other = await World.start({ folder });
    await other.settle();
    expect((await send(other.url, `/api/muse/${worker.museId}`)).body).toMatchObject({ muse: { name: 'worker' } });
    expect(await other.audit()).toEqual(CLEAN);
    expect((await other.events()).slice(0, imported.events)).toEqual((await world.events()).slice(0, imported.events));
    await other.stop();
  });
});
