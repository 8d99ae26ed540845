import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { keyId } from '#libs/issuer/issuer.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import { LOG_FORMAT } from '#libs/domain/service.js';
import { HonestLog, POSTER } from '../audit/honest-log.js';
import { Importing, SEED } from './import-fixture.js';

let here: Importing;
beforeEach(async () => {
  here = await Importing.begin();
});

describe('an import', () => {
  test('keeps ids, revisions and order, and marks values without a key as erased', async () => {
    const imported = await here.run();
    const before = here.exported.stores.log.events;
    expect(here.log.events.slice(0, before.length).map(({ id, revision }) => [id, revision])).toEqual(
      before.map(({ id, revision }) => [id, revision]),
    );
    expect(imported).toMatchObject({ events: before.length, hidden: 0, open_payments: 0, after_checkpoint: null });
    expect(imported.erased).toBeGreaterThan(0);
    const [registered] = here.log.of(Muse.streamName(POSTER));
    expect(registered!.data).toMatchObject({ name: null, public_key: expect.any(String) });
    expect(JSON.stringify(here.log.events)).not.toContain('"sealed":"');
    expect(await here.problems()).toEqual([]);
  });

  test('adds new claims, then its issuer key with the origin of the log', async () => {
    const imported = await here.run();
    const added = here.log.events.slice(imported.events);
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

  test('refuses a log of another format before anything is written', async () => {
    const other = await Importing.begin(HonestLog.told(LOG_FORMAT + 1));
    const both = `jobs.example has format ${LOG_FORMAT + 1}, and this version reads format ${LOG_FORMAT}.`;
    await expect(other.run()).rejects.toThrow(both);
    expect(other.log.events).toEqual([]);
  });

  test.each([0, 3, 40])('resumes if it was killed after %d appends', async appends => {
    let left = appends;
    await here.runUntilKilled(() => (left -= 1) >= 0);
    await here.run();
    const once = here.log.events.map(({ id }) => id);
    await here.run();
    expect(here.log.events.map(({ id }) => id)).toEqual(once);
    expect(await here.problems()).toEqual([]);
  });

  test('writes nothing and makes no key if the export does not verify', async () => {
    writeFileSync(here.file, readFileSync(here.file, 'utf8').replace('"value":"Works"', '"value":"Idles"'));
    await expect(here.run()).rejects.toThrow(/does not verify: \d+ findings, the first is: /);
    expect([here.log.events, await here.vault.list('', 10)]).toEqual([[], []]);
  });

  test('an import rejects a log that holds other events', async () => {
    const [first] = here.exported.stores.log.events;
    await here.log.append('job-other', 'none', [{ ...first!, stream: 'job-other' }]);
    await expect(here.run()).rejects.toThrow('The event log is not empty: its event 1');
  });
});
