import { beforeAll, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '#apps/auditor/commands.js';
import { readArguments } from '#apps/auditor/arguments.js';
import type { VerifyReport } from '#apps/auditor/verify.js';
import { AgentClient } from '#libs/client/index.js';
import { readSettings } from '#libs/setup/settings.js';
import { LocalServer } from '../local-server.js';
import { useWorld } from '../use-world.js';
import { LogCopy } from './auditor.copy.js';
import { FORGED_WORK, FOUND_ALONE, FOUND_BY_WHAT_WAS_KEPT } from './auditor.tampering.js';

const world = useWorld();
let [note, exported] = ['', ''];
let checkerId = '';
let posterSeed: Uint8Array;
let copies = 0;
const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

beforeAll(async () => {
  type Three = [AgentClient, AgentClient, AgentClient];
  const [poster, worker, checker] = (await world.agents('poster', 'worker', 'checker')) as Three;
  checkerId = checker.museId;
  posterSeed = poster.seed!;
  const { role } = await poster.job({ ...job, budgetUsd: '10', rail: 'usdc-base' });
  await worker.apply({ role, note: 'I am fluent.' });
  await checker.apply({ role, note: 'I am fluent too.' });
  const { hire } = await poster.hire({ role, to: worker.museId });
  await worker.deliver({ hire, url: world.page('bonjour') });
  await checker.recheck({ hire, result: 'held', scope: 'Read both pages side by side.' });
  await poster.accept({ hire, note: 'Well done.' });
  await poster.pay({ hire });
  await checker.profile({ bio: 'Reads everything twice.' });
  const other = await poster.job(job);
  await checker.apply({ role: other.role, note: 'Me too.' });
  const newcomer = await AgentClient.quickstart(world.url, { kind: 'editor' });
  await newcomer.job({ ...job, title: 'Another page' });
  await world.settle();
  [note, exported] = [join(world.folder, 'checkpoint'), join(world.folder, 'kept.ndjson')];
  writeFileSync(note, await (await fetch(`${world.url}/api/events/checkpoint`)).text());
  await auditor('export', exported);
});

async function auditor(...argv: string[]): Promise<VerifyReport> {
  const settings = readSettings({ DATA_DIR: join(world.folder, 'data'), BASE_URL: world.url });
  return (await runCommand(readArguments(argv)!, settings)).json as VerifyReport;
}

const copyOf = () => new LogCopy(join(world.folder, 'data'), join(world.folder, `copy-${(copies += 1)}`));
describe('a copy of the log', () => {
  test('without changes verifies against every saved checkpoint and export', async () => {
    const log = copyOf();
    const report = await log.verify('--checkpoint', note, '--checkpoint', exported, '--second');
    expect(report.findings).toEqual([]);
    const { again, by_rule, undecided } = report.decisions;
    expect([again + by_rule, undecided]).toEqual([report.events, 0]);
    expect(again).toBeGreaterThan(20);
    log.remove();
  });

  test.each([...FOUND_ALONE, ...FORGED_WORK])(
    'with $what fails verification, which names the event',
    async ({ tamper, named, told }) => {
      const log = copyOf();
      await tamper(log, checkerId, posterSeed);
      const { ok, findings } = await log.verify();
      expect(ok).toBe(false);
      expect(findings).toContainEqual(
        expect.objectContaining({ type: named, stream: expect.any(String), problem: expect.stringMatching(told) }),
      );
      log.remove();
    },
  );

  test.each(FOUND_BY_WHAT_WAS_KEPT)('with $what differs from the saved checkpoint', async ({ tamper, named, told }) => {
    const log = copyOf();
    await tamper(log, checkerId, posterSeed);
    const against = await log.verify('--checkpoint', note);
    expect(against.findings.at(-1)).toMatchObject({ kind: 'tree', problem: expect.stringContaining('checkpoint') });
    const { findings } = await log.verify('--checkpoint', exported);
    expect(findings).toContainEqual(
      expect.objectContaining({ type: named, kind: 'tree', problem: expect.stringMatching(told) }),
    );
    log.remove();
  });
});

describe('a service whose record', () => {
  const CHECKPOINT = '/api/events/checkpoint';
  type Answer = { record: { payload: string; signature: string; kid: string } };

  async function beside<T>(
    change: (answer: Answer) => void,
    look: (address: string) => Promise<T>,
    noteOf = (note: string) => note,
  ): Promise<T> {
    const answered = async (path: string) => {
      if (path === CHECKPOINT) return noteOf(await (await fetch(world.url + path)).text());
      const answer = (await (await fetch(world.url + path)).json()) as Answer;
      if (path.startsWith('/api/record/hire/')) change(answer);
      return JSON.stringify(answer);
    };
    const liar = await new LocalServer((request, response) => {
      void answered(request.url!).then(text => response.end(text));
    }).listen();
    return look(liar.url).finally(() => liar.stop());
  }

  test('comes with a checkpoint of other events is reported', async () => {
    const other = (text: string) =>
      text.replace(/\n[A-Za-z0-9+/]{43}=\n/, `\n${Buffer.alloc(32).toString('base64')}\n`);
    const { findings } = await beside(
      () => undefined,
      address => auditor('verify', '--service', address),
      other,
    );
    expect(findings.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(
        /^The checkpoint of the service says that the first \d+ events have the root 0{64}, but they have /,
      ),
      expect.stringMatching(
        /^The checkpoint of the service names the issuer key \S+, but its signature does not verify\.$/,
      ),
    ]);
  });

  test('a service whose record has another value is reported, with the field', async () => {
    const change = ({ record }: Answer) =>
      void (record.payload = record.payload.replace('"check_state":"held"', '"check_state":"broke"'));
    const report = await beside(change, address => auditor('diff', address));
    const differences = [expect.objectContaining({ field: 'check_state', one: 'broke', other: 'held' })];
    expect(report).toMatchObject({ ok: false, differences });
  });
});
