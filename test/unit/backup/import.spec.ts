import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeExport } from '#libs/audit/export.js';
import { fromLog } from '#libs/audit/sources/log.js';
import { verifyLog } from '#libs/audit/verify-log.js';
import { importExport, type ImportDependencies } from '#libs/backup/import.js';
import { ClaimStreams } from '#libs/claims/claim-streams.js';
import { Codec } from '#libs/event-log/codec.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { Muse } from '#libs/streams/muse.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { clearedUpToHead } from '#libs/features/events-feed/cleared.js';
import { PublicEvents } from '#libs/features/events-feed/public-events.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { keyId } from '#libs/issuer/issuer.js';
import { publicKeyOf } from '#libs/signing/ed25519.js';
import { MemoryLog } from '../../doubles/memory-log.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { HonestLog, POSTER, TAG } from '../audit/honest-log.js';

const SEED = new Uint8Array(32).fill(5);

let folder: string;
let file: string;
let exported: HonestLog;
let log: MemoryLog;
let vault: MemoryVault;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'import-'));
  file = join(folder, 'log.export');
  exported = await HonestLog.told();
  await writeExport(exported.source(), file);
  [log, vault] = [new MemoryLog(), new MemoryVault()];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const parts = (more: Partial<ImportDependencies> = {}): ImportDependencies => ({
  log,
  vault,
  now: exported.stores.clock.now(),
  tag: TAG,
  reason: 'moved',
  issuerSeed: SEED,
  claimStreams: async () => new ClaimStreams(Buffer.alloc(32, 7)),
  ...more,
});

/** What an auditor finds in the log as it is now. */
async function problems(): Promise<string[]> {
  const codec = new Codec(new MuseKeys(vault));
  const shown = new PublicEvents(codec, clearedUpToHead(log, codec));
  const show = async (stored: StoredEvent) => (await shown.of([stored]))[0] as unknown as PublicEvent;
  const { findings } = await verifyLog(fromLog({ log, show, origin: 'jobs.example' }), { tag: TAG });
  return findings.list.map(({ problem }) => problem);
}

describe('an import', () => {
  test('keeps ids, revisions and order, and stores as erased what it has no key for', async () => {
    const imported = await importExport(parts(), file);
    const before = exported.stores.log.events;
    expect(log.events.slice(0, before.length).map(({ id, revision }) => [id, revision])).toEqual(
      before.map(({ id, revision }) => [id, revision]),
    );
    expect(imported).toMatchObject({ events: before.length, hidden: 0, open_payments: 0 });
    expect(imported.erased).toBeGreaterThan(0);
    const [registered] = log.of(Muse.named(POSTER));
    expect(registered!.data).toMatchObject({ name: null, public_key: expect.any(String) });
    expect(JSON.stringify(log.events)).not.toContain('"sealed":"');
    expect(await problems()).toEqual([]);
  });

  test('claims what is held under its own key, then names its issuer key and where it comes from', async () => {
    const imported = await importExport(parts(), file);
    const added = log.events.slice(imported.events);
    expect(added.map(({ type }) => type)).toEqual([
      ...Array.from({ length: imported.claimed }, () => 'Claimed'),
      'IssuerKeyRetired',
      'IssuerKeyAdded',
    ]);
    expect(imported.claimed).toBe(3);
    expect(imported.new_issuer_key).toBe(keyId(publicKeyOf(SEED)));
    const reason = `moved (imported from jobs.example: ${imported.events} events with the root ${imported.root})`;
    expect(added.at(-1)!.authorization).toEqual({ mode: 'operator', reason });
  });

  test.each([0, 3, 40])('that was killed after %d appends goes on where it was', async appends => {
    let left = appends;
    const append: MemoryLog['append'] = (...args) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : log.append(...args);
    };
    const mortal = Object.assign(Object.create(log) as MemoryLog, { append });
    await importExport(parts({ log: mortal }), file).catch((error: Error) => expect(error.message).toBe('killed'));
    await importExport(parts(), file);
    const once = log.events.map(({ id }) => id);
    await importExport(parts(), file);
    expect(log.events.map(({ id }) => id)).toEqual(once);
    expect(await problems()).toEqual([]);
  });

  test('of an export that does not verify writes nothing, and makes no key', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').replace('"value":"Works"', '"value":"Idles"'));
    await expect(importExport(parts(), file)).rejects.toThrow(/does not verify: \d+ findings, the first one: /);
    expect([log.events, await vault.list('', 10)]).toEqual([[], []]);
  });

  test('into a log that holds something else is refused', async () => {
    const [first] = exported.stores.log.events;
    await log.append('job-other', 'none', [{ ...first!, stream: 'job-other' }]);
    await expect(importExport(parts(), file)).rejects.toThrow('The event log is not empty: its event 1');
  });
});
