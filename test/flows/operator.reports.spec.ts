import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { readArguments } from '#apps/operator/arguments.js';
import { runCommand } from '#apps/operator/commands.js';
import type { Check } from '#apps/operator/doctor/check.js';
import type { CommandReport } from '#libs/terminal/command-line.js';
import { checkVault } from '#apps/operator/doctor/stores.js';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { putEvents } from '#libs/backup/put-events.js';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { writeAddress } from '#libs/setup/address-file.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { verifyStrict } from '#libs/platform/signing/ed25519.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { send } from '../raw-agent.js';
import { settingsBeside } from './operator-beside.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let payer: string;
beforeAll(async () => {
  const wallet = Wallet.createRandom();
  await world.fund(wallet.address);
  const agent = await world.agent('payer', { wallet: wallet.privateKey, rails: ['usdc-base'] });
  await agent.verify({ wallet: wallet.address });
  payer = agent.museId;
  await world.settle();
  writeAddress(settingsOf(), world.url);
});

const data = () => join(world.folder, 'data');
const settingsOf = (more: object = {}) => settingsBeside(world, more);

const operator = (argv: readonly string[], more: object = {}): Promise<CommandReport> =>
  runCommand(readArguments(argv)!, settingsOf(more));

const findings = (report: CommandReport) => (report.json as { checks: Check[] }).checks.filter(({ ok }) => !ok);

describe('status', () => {
  test('reports the health without problems', async () => {
    expect(await operator(['status'])).toMatchObject({ ok: true, json: { ok: true, status: 'ok', problems: [] } });
  });

  test('names a projection that stopped, with its position and the reason', async () => {
    const reason = 'muses cannot take Joined 1 at 00000000000000000007: Error: no such thing';
    const { models } = world.service;
    const states = models.states.bind(models);
    models.states = async head =>
      (await states(head)).map(each => (each.name === 'muses' ? { ...each, state: 'stopped' as const, reason } : each));
    const report = await operator(['status']);
    models.states = states;
    expect(report.ok).toBe(false);
    expect((report.json as { problems: string[] }).problems).toEqual([
      expect.stringMatching(/^The projection muses stopped after position \d{20}: muses cannot take Joined 1 at/),
    ]);
    expect(report.text).toMatch(/^The service at http:\S+ is degraded/);
  });

  test('prints a table with a row for each part, its state and position', async () => {
    const { json, text } = await operator(['status']);
    const { projections, reactions } = json as { projections: { name: string }[]; reactions: { name: string }[] };
    const [summary, , heading, ...rows] = text.split('\n');
    expect(summary).toMatch(/^The service at http:\S+ is ok; its read models are up to \d+ events behind\.$/);
    expect(heading).toMatch(/^component +name +state +progress$/);
    expect(rows[0]).toMatch(/^event log +sqlite +answers +position \d{20}$/);
    expect(rows[1]).toMatch(/^documents +sqlite +answers$/);
    const named = rows.slice(2, -3).map(row => row.split(/ {2,}/).slice(0, 3));
    expect(named).toEqual([
      ...projections.map(({ name }) => ['read model', name, 'running']),
      ...reactions.map(({ name }) => ['reaction', name, 'running']),
    ]);
    expect(rows.slice(-3, -1).sort()).toEqual([
      expect.stringMatching(/^rail +usdc-base +answers +\d+ transactions left$/),
      expect.stringMatching(/^rail +usdg-robinhood +answers +\d+ transactions left$/),
    ]);
    expect(rows.at(-1)).toMatch(/^payments +open +0$/);
    const width = heading!.indexOf('state');
    expect(rows.filter(row => row[width - 1] !== ' ' || row[width] === ' ')).toEqual([]);
  });

  test('names a reaction that keeps failing and reports the service as degraded', async () => {
    const { documents } = world.service.stores;
    const checkpoints = documents.checkpoints.bind(documents);
    const stopped = 'Hired 1 at position 00000000000000000007: no such thing';
    documents.checkpoints = async () =>
      (await checkpoints()).map(each => (each.name.startsWith('reaction_') ? { ...each, stopped } : each));
    const report = await operator(['status']);
    documents.checkpoints = checkpoints;
    const { problems, reactions } = report.json as { problems: string[]; reactions: { state: string }[] };
    expect(reactions.length).toBeGreaterThan(0);
    expect(new Set(reactions.map(({ state }) => state))).toEqual(new Set(['failing']));
    expect(problems).toHaveLength(reactions.length);
    expect(problems[0]).toMatch(/^The reaction \S+ keeps failing, and \d+ events wait for it: Hired 1 at/);
    expect([report.ok, report.text]).toEqual([false, expect.stringMatching(/^The service at http:\S+ is degraded/)]);
  });
});

describe('doctor', () => {
  test('reports no problem for a healthy service', async () => {
    const report = await operator(['doctor']);
    expect(findings(report)).toEqual([]);
    expect(report).toMatchObject({ ok: true, text: expect.stringContaining('Nothing is wrong.') });
    const names = (report.json as { checks: Check[] }).checks.map(({ name }) => name);
    for (const name of ['settings', 'data folder', 'disk', 'event log', 'read models', 'vault', 'service', 'payments'])
      expect(names).toContain(name);
    expect(names.filter(name => name === 'chain base').length).toBe(3);
  });

  test('names each problem and its remedy', async () => {
    chmodSync(data(), 0o755);
    const { port: PORT } = new URL(world.url);
    const [open, ...others] = findings(await operator(['doctor'], { PORT, BASE_URL: 'http://127.0.0.1:1' }));
    chmodSync(data(), 0o700);
    expect(open).toMatchObject({
      sentence: expect.stringContaining('has the mode 755'),
      advice: `chmod go-rwx ${data()}`,
    });
    expect(others).toMatchObject([{ name: 'address', advice: expect.stringContaining('the proxy') }]);
  });

  test('reports an unknown limit in the file of limits', async () => {
    const file = join(world.folder, 'limits.json');
    writeFileSync(file, JSON.stringify({ redes: { points: 1, seconds: 1 } }));
    expect(findings(await operator(['doctor'], { RATE_LIMITS: file }))).toMatchObject([
      { name: 'settings', sentence: expect.stringContaining('the limit "redes" does not exist') },
    ]);
  });

  test('reports a clock that is earlier than that of the chain', async () => {
    writeFileSync(join(world.folder, 'other-clock'), String(-5 * MINUTE_MS));
    const report = await operator(['doctor'], { TEST_CLOCK_FILE: join(world.folder, 'other-clock') });
    expect(findings(report).map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining("seconds ahead of this machine's clock"),
      expect.stringContaining("seconds ahead of this machine's clock"),
    ]);
  });

  test('reports a vault that belongs to another log', async () => {
    const folder = join(world.folder, 'other');
    const log = SqliteEventLog.open(join(folder, 'events.db'));
    await putEvents(log, iterateEvents(world.service.stores.log));
    const vault = SqliteVault.open(join(folder, 'vault.db'));
    await Promise.all([log.close(), vault.close()]);
    const checks = await checkVault(settingsOf({ DATA_DIR: folder }));
    expect(checks.map(({ ok, sentence }) => [ok, sentence])).toEqual([
      [
        false,
        expect.stringMatching(/^It does not hold the issuer key .* that the log names: the service cannot start\.$/),
      ],
      [false, expect.stringContaining('It does not hold the key of the house')],
      ...['integers', 'claims', 'tokens', 'answers', 'limits'].map(name => [false, `It does not hold secret/${name}.`]),
    ]);
    for (const { advice } of checks) expect(advice).toMatch(/operator (-- )?restore/);
  });

  test('reports that no service has used the folder', async () => {
    const report = await operator(['doctor'], { DATA_DIR: join(world.folder, 'none'), PORT: '1' });
    expect(findings(report).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['data folder', 'event log', 'read models', 'vault', 'service', 'chains']),
    );
    for (const { sentence, advice } of findings(report)) expect([sentence, advice]).not.toContain('');
  });
});

describe('rebuild', () => {
  test('rebuilds the named documents during the service and reports no difference', async () => {
    const report = await operator(['rebuild', 'muses', 'payments', '--dry-run']);
    expect(report).toMatchObject({
      ok: true,
      json: { dry_run: true, projections: [{ name: 'muses' }, { name: 'payments' }] },
    });
    expect(report.text).toMatch(/^muses@\d+: rebuilt for comparison; \d+ documents are identical$/m);
    expect(await operator(['rebuild', 'muses'])).toMatchObject({
      ok: true,
      json: { projections: [{ switched: true }] },
    });
    await expect(operator(['rebuild', 'mice'])).rejects.toThrow('There is no projection mice');
  });
});

describe('the issuer’s key', () => {
  const credential = async () => {
    const { body } = await send(world.url, `/api/verify/${payer}`);
    return body['credential'] as { kid: string; payload: string; signature: string };
  };

  test('is rotated during the service; new signatures use it and old ones stay valid', async () => {
    const signed = await credential();
    const report = await operator(['rotate-key', '--reason', 'once a year']);
    const { kid, retired } = report.json as { kid: string; retired: string };
    const issuer = (await send(world.url, '/.well-known/service-issuer.json')).body as unknown as {
      keys: { kid: string; public_key: string; until: number | null }[];
    };
    for (const { kid: by, payload, signature } of [signed, await credential()])
      expect(verifyStrict(issuer.keys.find(key => key.kid === by)!.public_key, payload, signature)).toBe(true);
    expect([signed.kid, (await credential()).kid]).toEqual([retired, kid]);
    expect(issuer.keys).toMatchObject([{ kid: retired }, { kid }]);
    const { stores } = world.service;
    const journal = new Journal(stores.log, new Codec(new MuseKeys(stores.vault), EVENT_TYPES));
    expect((await journal.read('service')).slice(-2)).toMatchObject([
      { type: 'IssuerKeyRetired', actor: 'operator', authorization: { mode: 'operator', reason: 'once a year' } },
      { type: 'IssuerKeyAdded', data: { kid } },
    ]);
    expect(findings(await operator(['doctor']))).toEqual([]);
  });
});
