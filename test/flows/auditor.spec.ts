import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readArguments } from '#apps/auditor/arguments.js';
import { carryOutCommand } from '#apps/auditor/commands.js';
import type { VerifyReport } from '#apps/auditor/verify.js';
import { AgentClient } from '#libs/client/index.js';
import { readSettings } from '#libs/setup/settings.js';
import { World } from '../world.js';

let world: World;
const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

beforeAll(async () => {
  world = await World.start();
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
  await world.settled();
});
afterAll(() => world.stop());

/** What the command line answers with `--json`. */
const auditor = async (...argv: string[]): Promise<unknown> => (await told(...argv)).json;

async function told(...argv: string[]) {
  const settings = readSettings({ DATA_DIR: join(world.folder, 'data'), BASE_URL: world.url });
  return carryOutCommand(readArguments(argv), settings);
}

const verified = async (...argv: string[]) => (await auditor('verify', ...argv)) as VerifyReport;

test('a running service, its log and an export of it verify alike', async () => {
  const file = join(world.folder, 'log.ndjson');
  expect(await auditor('export', file, '--from', world.url)).toMatchObject({ ok: true, version: 1 });
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
  expect(fromFile).toEqual(overHttp);
  expect(none).toBe(0);
});

test('a report has what is promised, and says on what the log rests', async () => {
  const report = await verified('--from', world.url);
  const promised = ['ok', 'events', 'signatures', 'records', 'payments', 'findings'];
  const more = ['origin', 'on_chain', 'claims', 'decisions', 'head', 'root', 'untold'];
  expect(Object.keys(report).sort()).toEqual([...promised, ...more].sort());
  const sum = (counts: object) => Object.values(counts).reduce((all: number, count: number) => all + count, 0);
  const { lacking_rules: lacking, ...decisions } = report.decisions;
  expect(lacking).toEqual([]);
  expect([sum(report.claims), sum(decisions)]).toEqual([report.events, report.events]);
  const { records } = await verified('--from', world.url, '--records', '1');
  expect(records).toBe(3);
  await expect(auditor('verify', '--records', 'some')).rejects.toThrow('--records: "some" must be a number.');
  const { text } = await told('verify');
  expect(text).toMatch(/events rest on a signature that was verified\n.*events were decided again/s);
  expect(text).toContain('Nothing is wrong.');
});

test('every settled payment is on its chain, and one that is not is found', async () => {
  const { base, robinhood } = world.service.chains.dev!.rpc as { base: string; robinhood: string };
  const found = await verified('--rpc', `base=${base},robinhood=${robinhood}`);
  expect(found).toMatchObject({ ok: true, payments: 2, on_chain: true });
  const elsewhere = await verified('--rpc', `base=${robinhood}`);
  expect(elsewhere).toMatchObject({ ok: false, payments: 0 });
  expect(elsewhere.findings[0]!.problem).toContain('The chain does not know its transaction');
});

test('a replay makes the same documents of the log and of the feed, and the service answers from them', async () => {
  const fromLog = await auditor('replay');
  expect(await auditor('replay', '--from', world.url)).toEqual(fromLog);
  expect(await auditor('diff', world.url)).toMatchObject({ ok: true, moved: false, differences: [] });
  expect(await auditor('diff', world.url, '--from', world.url)).toMatchObject({ ok: true, reads: expect.any(Number) });
});

test('a command that there is none of, and a log that is not there, are refused in sentences', async () => {
  await expect(auditor('nonsense')).rejects.toThrow('There is no command nonsense.');
  await expect(auditor('export')).rejects.toThrow('Usage: npm run auditor -- export <file>');
  const nowhere = readSettings({ DATA_DIR: join(world.folder, 'nowhere') });
  await expect(carryOutCommand(readArguments(['verify']), nowhere)).rejects.toThrow('There is no ');
});
