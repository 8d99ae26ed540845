import { SALES } from '#libs/service/sales.js';
import { beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '#apps/auditor/arguments.js';
import { runCommand } from '#apps/auditor/commands.js';
import type { VerifyReport } from '#apps/auditor/verify.js';
import { Findings } from '#libs/audit/findings.js';
import { checkPayments } from '#libs/audit/payments-on-chain.js';
import { feedSource } from '#libs/audit/sources/feed.js';
import { verifyLog } from '#libs/audit/verify-log.js';
import { AgentClient, MESSAGE_TAG } from '#libs/client/index.js';
import { writeAddress } from '#libs/setup/address-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

beforeAll(async () => {
  const [poster, worker, checker] = (await world.agents('poster', 'worker', 'checker')) as [
    AgentClient,
    AgentClient,
    AgentClient,
  ];
  const { role } = await poster.job({ ...job, budgetUsd: '10', rail: 'usdc-base', trial: 'Which tense?' });
  await worker.apply({ role, note: 'I am fluent.', trialAnswer: 'Past.' });
  const { hire } = await poster.hire({ role, to: worker.museId });
  await worker.deliver({ hire, url: world.page('bonjour') });
  await checker.recheck({ hire, result: 'held', scope: 'Read both pages side by side.' });
  await poster.pay({ hire });
  const newcomer = await AgentClient.quickstart(world.url, { kind: 'editor' });
  await newcomer.job(job);
  await world.settle();
});

const auditor = async (...argv: string[]): Promise<unknown> => (await runAuditor(...argv)).json;

const settings = () => readSettings({ DATA_DIR: join(world.folder, 'data'), BASE_URL: world.url });

const runAuditor = async (...argv: string[]) => runCommand(readArguments(argv)!, settings());

const verified = async (...argv: string[]) => (await auditor('verify', ...argv)) as VerifyReport;

test('a running service, its log and an export of the log give the same report', async () => {
  const file = join(world.folder, 'log.ndjson');
  const exported = await auditor('export', file, '--from', world.url);
  expect(exported).toMatchObject({ ok: true, version: 1, checkpoint: expect.stringContaining('— ') });
  const { records, ...overHttp } = await verified('--from', world.url);
  expect(overHttp).toMatchObject({ ok: true, findings: [], payments: 2, claims: { erased: 0 } });
  expect(overHttp.signatures).toBeGreaterThan(10);
  expect(overHttp.claims.private).toBeGreaterThan(0);
  expect(overHttp.claims.bearer).toBeGreaterThan(0);
  expect(records).toBeGreaterThan(4);
  const { claims, decisions, ...own } = await verified('--service', world.url);
  const { signatures, claims: seen, decisions: public_, ...same } = overHttp;
  expect(own).toMatchObject({ ...same, records });
  expect([claims.private, decisions.undecided]).toEqual([0, 0]);
  expect([claims.verified, own.signatures]).toEqual([signatures + seen.private, signatures + seen.private]);
  expect(decisions).toMatchObject({ again: public_.again + public_.undecided, by_rule: public_.by_rule });
  const { records: none, ...fromFile } = await verified('--from', file, '--second');
  expect(fromFile).toEqual({ ...overHttp, service: null });
  expect(none).toBe(0);
});

test('a report has the documented fields and says how much was verified', async () => {
  const report = await verified('--from', world.url);
  const promised = ['ok', 'events', 'signatures', 'records', 'payments', 'findings'];
  const more = [
    'origin',
    'on_chain',
    'unshown_receivers',
    'not_looked_up',
    'origins',
    'clock_moves',
    'service',
    'forgotten_again',
    'claims',
    'decisions',
    'head',
    'root',
    'kinds',
    'unlisted',
  ];
  expect(Object.keys(report).sort()).toEqual([...promised, ...more].sort());
  const sum = (counts: object) => Object.values(counts).reduce((all: number, count: number) => all + count, 0);
  const { lacking_rules: lacking, ...decisions } = report.decisions;
  expect(lacking).toEqual([]);
  expect([sum(report.claims), sum(decisions)]).toEqual([report.events, report.events]);
  const { records } = await verified('--from', world.url, '--records', '1');
  expect(records).toBe(3);
  await expect(auditor('verify', '--from', 'nothing')).rejects.toThrow(
    'The file nothing does not exist. An address begins',
  );
  await expect(auditor('verify', '--records', 'some')).rejects.toThrow('--records: "some" must be a number.');
  const { text } = await runAuditor('verify', '--service', world.url);
  expect(text).toMatch(/ {2}signed records and credentials have valid signatures and name existing events\n/);
  expect(text).toMatch(/events rest on a signature that was verified\n.*events were decided again/s);
  expect(text).toContain('Nothing is wrong.');
});

test('finds every settled payment on its chain and reports one that is missing', async () => {
  const { base, robinhood } = world.service.chains.dev!.rpc as { base: string; robinhood: string };
  const report = await verified('--rpc', `base=${base},robinhood=${robinhood}`);
  expect(report).toMatchObject({ ok: true, payments: 2, on_chain: true });
  const elsewhere = await verified('--rpc', `base=${robinhood}`);
  expect(elsewhere).toMatchObject({ ok: false, payments: 0 });
  expect(elsewhere.findings[0]!.problem).toContain('The chain does not know its transaction');
});

test('reports a wage paid to a wrong address and counts wages to hidden addresses', async () => {
  const { base } = world.service.chains.dev!.rpc as { base: string };
  expect(await verified('--rpc', `base=${base}`)).toMatchObject({ ok: true, payments: 2, unshown_receivers: 0 });
  const { json, text } = await runAuditor('verify', '--from', world.url, '--rpc', `base=${base}`);
  expect(json).toMatchObject({ ok: true, payments: 2, unshown_receivers: 1 });
  expect(text).toContain('1  wages went to a private payout address');
  const { facts } = await verifyLog(feedSource(world.url), {
    tag: MESSAGE_TAG,
    sales: SALES,
  });
  const [wage] = facts.acceptedPayments().filter(({ accepted: { data } }) => data.endpoint === 'pay');
  const findings = new Findings();
  const receivers = new Map([[wage!.accepted.data.payment, [`0x${'b'.repeat(40)}`]]]);
  await checkPayments({ ...facts, payments: facts.acceptedPayments(), receivers }, new Map([['base', base]]), findings);
  expect(findings.list).toMatchObject([
    { kind: 'payment', problem: expect.stringMatching(/^Its transaction 0x\S+ paid 0x\S+, which is not an address/) },
  ]);
});

test('reports the chains it asked and counts payments that were not looked up', async () => {
  const { base, robinhood } = world.service.chains.dev!.rpc as { base: string; robinhood: string };
  writeAddress(settings(), world.url);
  const configured = await verified('--rpc');
  expect(configured).toMatchObject({ ok: true, payments: 2, on_chain: true, not_looked_up: {} });
  expect(await verified('--rpc', `robinhood=${robinhood}`, '--rpc', `base=${base}`)).toEqual(configured);
  const half = await runAuditor('verify', '--rpc', `robinhood=${robinhood}`);
  expect(half.json).toMatchObject({ ok: true, payments: 0, not_looked_up: { base: 2 } });
  expect(half.text).toContain('2  payments on base were not looked up: --rpc names no address of this chain');
  const polygon = auditor('verify', '--rpc', `polygon=${base}`);
  await expect(polygon).rejects.toThrow('--rpc: unknown chain polygon. Chains are');
  await expect(auditor('verify', '--rpc', `base=${base}`, '--rpc', `base=${base}`)).rejects.toThrow('names base twice');
});

test('an export overwrites no file', async () => {
  const file = join(world.folder, 'kept.ndjson');
  await auditor('export', file);
  const before = readFileSync(file, 'utf8');
  await expect(auditor('export', file)).rejects.toThrow(
    `${file} already exists. Choose another file: an export does not overwrite one.`,
  );
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('replays of the log and of the feed match each other and the service', async () => {
  const fromLog = await auditor('replay');
  expect(await auditor('replay', '--from', world.url)).toEqual(fromLog);
  const same = { ok: true, moved: false, differences: [] };
  const [ada, ben] = (await world.agents('ada', 'ben')) as [AgentClient, AgentClient];
  const { role } = await ada.job(job);
  await ben.apply({ role, note: 'I am fluent.' });
  await ada.inbox();
  await ada.connect({ to: ben.museId });
  await ben.connect({ to: ada.museId });
  await ada.message({ to: ben.museId, text: 'Are you free on Monday?' });
  await world.settle();
  expect(await verified()).toMatchObject({ ok: true, findings: [] });
  // Only the log has the private events. Without it, the diff relies on the service.
  expect(await auditor('diff', world.url)).toMatchObject({ ...same, service_word: 0 });
  const { service_word, ...seen } = (await auditor('diff', world.url, '--from', world.url)) as { service_word: number };
  expect([seen, service_word]).toMatchObject([same, 19]);
  expect((await runAuditor('diff', world.url, '--from', world.url)).text).toMatch(/ 0 differences, 19 values skipped/);
});

test('refuses an unknown command and a missing log with a sentence', async () => {
  await expect(auditor('nonsense')).rejects.toThrow("Unknown command 'nonsense'");
  await expect(auditor('export')).rejects.toThrow("Missing required argument 'file'");
  const nowhere = readSettings({ DATA_DIR: join(world.folder, 'nowhere') });
  await expect(runCommand(readArguments(['verify'])!, nowhere)).rejects.toThrow(
    'events.db does not exist: set DATA_DIR',
  );
});
