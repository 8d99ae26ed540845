import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { writeExport } from '#libs/audit/export.js';
import { documentsDigest, replayProjections } from '#libs/audit/replay.js';
import { exportSource } from '#libs/audit/sources/export.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { HonestLog, verify } from './honest-log.js';
import { makeFolder } from '../../temporary-folder.js';

const folder = makeFolder();
const file = join(folder, 'log.ndjson');
let log: HonestLog;
let text: string;
beforeAll(async () => {
  log = await HonestLog.told();
  await writeExport(log.source(), file);
  text = readFileSync(file, 'utf8');
});

async function problems(changed: string): Promise<string> {
  const other = join(folder, 'changed.ndjson');
  writeFileSync(other, changed);
  const { findings } = await verify(await exportSource(other));
  return findings.list.map(({ problem }) => problem).join(' ');
}

describe('an export', () => {
  test('is a single file that verifies like the log', async () => {
    expect(readdirSync(folder)).toEqual(['log.ndjson']);
    const [exported, here] = [await exportSource(file), await verify(log.source())];
    const verified = await verify(exported);
    expect(verified.findings.list).toEqual([]);
    expect([verified.claims, verified.root]).toEqual([here.claims, here.root]);
    expect(exported.manifest).toMatchObject({ origin: 'jobs.example', size: here.events, head: here.head });
  });

  test('replays to the same documents', async () => {
    const digests = async (source: Parameters<typeof replayProjections>[0]) =>
      (await replayProjections(source, PROJECTIONS)).map(({ documents }) => [
        documents.size,
        documentsDigest(documents),
      ]);
    expect(await digests(await exportSource(file))).toEqual(await digests(log.source()));
  });

  test('is reported if any line is changed', async () => {
    const lines = text.split('\n');
    const at = lines.findIndex(line => line.includes('"DeliveryRead"'));
    expect(await problems(lines.with(at, lines[at]!.replace('"bytes":7', '"bytes":8')).join('\n'))).toContain(
      'Its digest is',
    );
    expect(await problems(lines.with(at, '{').join('\n'))).toContain(`Line ${at + 1} is not JSON.`);
    expect(await problems(text.replace('"value":"Works"', '"value":"Idles"'))).toContain('have the digest');
    expect(await problems(lines.toSpliced(at, 1).join('\n'))).toContain('have the digest');
  });

  test('is reported if it is truncated', async () => {
    expect(await problems(text.trimEnd().split('\n').slice(0, -4).join('\n'))).toMatch(
      /is incomplete.*its end was cut off/s,
    );
  });

  test('leaves no file when writing fails', async () => {
    await expect(writeExport(log.source(), join(folder, 'none', 'log.ndjson'))).rejects.toThrow('ENOENT');
    const breaking = async function* () {
      yield* await log.shown();
      throw new Error('The feed is gone.');
    };
    const broken = { origin: 'jobs.example', events: breaking };
    await expect(writeExport(broken, join(folder, 'other.ndjson'))).rejects.toThrow('The feed is gone.');
    expect(readdirSync(folder).filter(name => name.startsWith('other'))).toEqual([]);
  });

  test('is rejected with a clear error if the file is not an export', async () => {
    writeFileSync(join(folder, 'none.txt'), 'Hello.\n');
    await expect(exportSource(join(folder, 'none.txt'))).rejects.toThrow('is not an export of an event log.');
  });
});
