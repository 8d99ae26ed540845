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
  const { role } = await poster.postJob({ ...job, budgetUsd: '10', rail: 'usdc-base', trial: 'Which tense?' });
  await worker.apply(role, 'I am fluent.', { trialAnswer: 'Past.' });
  const { hire } = await poster.hire(role, worker.museId);
  await worker.deliver(hire, world.page('bonjour'));
  await checker.recheck(hire, 'held', 'Read both pages side by side.');
  await poster.pay(hire);
  const newcomer = await AgentClient.quickstart(world.url, { kind: 'editor' });
  await newcomer.postJob(job);
  await world.settled();
});
afterAll(() => world.stop());

/** What the command line answers with `--json`. */
async function auditor(...argv: string[]): Promise<unknown> {
  const settings = readSettings({ DATA_DIR: join(world.folder, 'data'), BASE_URL: world.url });
  return (await carryOutCommand(readArguments(argv), settings)).json;
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
  expect(await verified('--service', world.url)).toMatchObject({ ...overHttp, records });
  const { records: none, ...fromFile } = await verified('--from', file, '--second');
  expect(fromFile).toEqual(overHttp);
  expect(none).toBe(0);
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
