import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readKeptCheckpoint } from '#libs/audit/kept-evidence.js';
import { writeExport } from '#libs/audit/export.js';
import type { TrustAnchor } from '#libs/backup/import.js';
import { ClaimStreams } from '#libs/claims/claim-streams.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import { keyId } from '#libs/issuer/issuer.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { publicKeyOf, sign } from '#libs/platform/signing/ed25519.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import { append, EMPTY_EDGE, rootOf } from '#libs/platform/signing/merkle.js';
import { checkpointText, signedNote } from '#libs/platform/signing/signed-note.js';
import { Claimed } from '#libs/domain/claim.js';
import { Joined, Muse, Registered, TokenIssued } from '#libs/domain/muse.js';
import { MemoryLog } from '../../doubles/memory-log.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { ISSUER_KEY, ISSUER_SEED, POSTER } from '../audit/honest-log.js';
import { Importing, NEW_CLAIMS, NEW_HOUSE_KEY, SEED } from './import-fixture.js';

const OLD_HOUSE_KEY = publicKeyOf(new Uint8Array(32).fill(6));

let here: Importing;
beforeEach(async () => {
  here = await Importing.begin();
});

const token = (text: string) =>
  TokenIssued({ muse_id: POSTER, hash: sha256Hex(text), expires_at: here.exported.stores.clock.now() + DAY_MS });

describe('an import of unsigned tokens and an unsigned house key', () => {
  beforeEach(async () => {
    await here.exported.service(Muse.streamName(POSTER), 'token', token('one that its old operator has made up'));
    const texts = { name: 'The House', headline: 'Posts roles', email: 'house@mail.invalid' };
    const house = { muse_id: SYSTEM_ACCOUNT_ID, referred_by: null, src: null };
    await here.exported.service(
      Muse.streamName(SYSTEM_ACCOUNT_ID),
      'house',
      Registered({ ...house, ...texts, public_key: OLD_HOUSE_KEY }),
      Joined({ muse_id: SYSTEM_ACCOUNT_ID, item: 1_000_000_000_900, referred_by: null }),
    );
    await here.export();
  });

  test('ends the tokens', async () => {
    expect(await here.run()).toMatchObject({ tokens_ended: 1 });
    expect((await here.museHere(POSTER)).tokens.size).toBe(0);
    expect(await here.problems()).toEqual([]);
  });

  test('binds the house to the key of the new vault and claims that key', async () => {
    expect(await here.run()).toMatchObject({ house_bound: true });
    expect((await here.museHere(SYSTEM_ACCOUNT_ID)).public_key).toBe(NEW_HOUSE_KEY);
    const claimsOf = (value: string) => here.log.of(NEW_CLAIMS.of({ kind: 'key', value }));
    expect([claimsOf(NEW_HOUSE_KEY).length, claimsOf(OLD_HOUSE_KEY).length]).toEqual([1, 1]);
    expect(await here.problems()).toEqual([]);
  });

  test('keeps both if the vault is the original vault', async () => {
    const stream = NEW_CLAIMS.of({ kind: 'key', value: OLD_HOUSE_KEY });
    const claim = Claimed({
      kind: 'key',
      owner: Muse.streamName(SYSTEM_ACCOUNT_ID),
      event: 'the-event',
      payment: null,
    });
    await here.exported.service(stream, 'claim', claim);
    await here.export();
    const imported = await here.run({ houseKey: async () => OLD_HOUSE_KEY });
    expect(imported).toMatchObject({ tokens_ended: 0, house_bound: false, claimed: 0 });
    expect((await here.museHere(POSTER)).tokens.size).toBe(1);
  });

  test('ends later tokens again under a third vault', async () => {
    await here.run();
    const now = here.exported.stores.clock.now();
    const authorization = { mode: 'service', reason: 'a test' } as const;
    const by = { actor: 'service', at: now, requestKey: 'a later token', cause: 'later', decidedBy: 'test@1' };
    const stream = Muse.streamName(POSTER);
    const later = newEvents([token('of the second')], stream, { ...by, basedOn: {}, authorization });
    await here.journal.append(stream, 'any', later);
    rmSync(here.file);
    await writeExport(here.source(), here.file);
    [here.log, here.vault] = [new MemoryLog(), new MemoryVault()];
    const imported = await here.run({
      claimStreams: async () => new ClaimStreams(Buffer.alloc(32, 8)),
      houseKey: async () => publicKeyOf(new Uint8Array(32).fill(8)),
      issuerSeed: new Uint8Array(32).fill(4),
    });
    expect(imported).toMatchObject({ tokens_ended: 1, house_bound: true });
    expect((await here.museHere(POSTER)).tokens.size).toBe(0);
    expect(await here.problems()).toEqual([]);
  });

  test.each([0, 1, 2, 4])('ends each once if it was killed %d appends after the events', async appends => {
    const before = here.exported.stores.log.events.length;
    await here.runUntilKilled(() => here.log.events.length < before + appends);
    await here.run();
    const ended = here.log.events.filter(({ type }) => type === 'TokenRevoked' || type === 'KeyBound');
    expect(ended).toHaveLength(2);
    expect(await here.problems()).toEqual([]);
  });
});

function tree() {
  const edge = here.exported.stores.log.events.reduce((edge, event) => append(edge, eventDigest(event)), EMPTY_EDGE);
  return { size: edge.size, root: rootOf(edge) };
}

/** Signed checkpoint of the exported log, with overrides. */
function checkpoint(changed: { readonly size?: number; readonly root?: string } = {}, seed = ISSUER_SEED) {
  const text = checkpointText({ origin: 'jobs.example', ...tree(), ...changed });
  const kept = join(here.folder, 'kept');
  writeFileSync(kept, signedNote(text, 'jobs.example', publicKeyOf(seed), sign(seed, text)));
  return readKeptCheckpoint(kept);
}

describe('an import checked against a kept checkpoint or issuer key', () => {
  const held = (believed: Partial<TrustAnchor>) =>
    here.run({ trustAnchor: { checkpoint: null, issuerKey: null, ...believed } });
  const nothingIsWritten = async () => expect([here.log.events, await here.vault.list('', 10)]).toEqual([[], []]);

  test('accepts a checkpoint of the log, signed by the trusted key in any notation', async () => {
    const kept = checkpoint();
    await here.exported.service(Muse.streamName(POSTER), 'token', token('behind the checkpoint'));
    await here.export();
    for (const issuerKey of [null, ISSUER_KEY, keyId(ISSUER_KEY)])
      expect(await held({ checkpoint: kept, issuerKey })).toMatchObject({ after_checkpoint: 1 });
  });

  test('rejects an export whose events differ from the checkpoint', async () => {
    const other = checkpoint({ root: 'ab'.repeat(32) });
    await expect(held({ checkpoint: other })).rejects.toThrow(/does not verify: .*The kept checkpoint says/);
    await nothingIsWritten();
  });

  test('rejects an export that ends before the checkpoint', async () => {
    const longer = checkpoint({ size: tree().size + 1 });
    await expect(held({ checkpoint: longer })).rejects.toThrow('its end was cut off');
    await nothingIsWritten();
  });

  test('rejects a checkpoint signed by another key', async () => {
    const sentence = 'The checkpoint is not signed by an issuer key of the log';
    await expect(held({ checkpoint: checkpoint({}, SEED) })).rejects.toThrow(sentence);
    await nothingIsWritten();
  });

  test('rejects a log that does not name the trusted issuer key', async () => {
    const issuerKey = publicKeyOf(SEED);
    await expect(held({ issuerKey })).rejects.toThrow(`${issuerKey} is not an issuer key of the log in`);
    await nothingIsWritten();
  });
});
