import { beforeAll, describe, expect, test } from '@jest/globals';
import { checkCheckpointSigner, parseSignedCheckpoint } from '#libs/audit/checkpoint.js';
import type { Finding } from '#libs/audit/findings.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { LogVerifier, type VerifyOptions } from '#libs/audit/verify-log.js';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import { sign } from '#libs/platform/signing/ed25519.js';
import { checkpointText, signedNote } from '#libs/platform/signing/signed-note.js';
import { HonestLog, ISSUER_KEY, ISSUER_SEED, OPTIONS, ROLE, sourceOf, THIRD, verify, WORKER } from './honest-log.js';

let honest: readonly PublicEvent[];
let root: string;
beforeAll(async () => {
  honest = await (await HonestLog.told()).shown();
  root = (await verify(honest)).root;
});

const kept = () => ({ label: 'The kept checkpoint', size: honest.length, root });

async function found(events: readonly PublicEvent[], options: Partial<VerifyOptions> = {}): Promise<Finding[]> {
  return (await verify(events, options)).findings.list;
}

const linesOf = (findings: readonly Finding[]) => findings.map(({ type, problem }) => `${type}: ${problem}`);
const indexOf = (type: string, from = honest) => from.findIndex(event => event.type === type);

/** The honest log with one changed event, and by default a matching digest. */
function changed(type: string, change: (event: PublicEvent) => object, redigest = true): PublicEvent[] {
  const at = indexOf(type);
  const event = { ...honest[at]!, ...change(honest[at]!) } as PublicEvent;
  return honest.with(at, redigest ? { ...event, digest: feedEventDigest(event) } : event);
}

const ofData = (change: (data: JsonObject) => object) => (event: PublicEvent) => ({
  data: { ...(event.data as JsonObject), ...change(event.data as JsonObject) },
});

const ofRequest = (name: string, value: unknown) => (event: PublicEvent) => {
  const authorization = event.authorization as { readonly sealed: { readonly value: object } };
  const sealed = { ...authorization.sealed, value: { ...authorization.sealed.value, [name]: value } };
  return { authorization: { ...authorization, sealed } };
};

describe('an honest log', () => {
  test('verifies without findings, and each event is signed or by the service', async () => {
    const verified = await verify(honest, { second: true, checkpoints: [kept()] });
    expect(verified.findings.list).toEqual([]);
    const { verified: signed, service, ...rest } = verified.claims;
    expect(signed + service).toBe(honest.length);
    expect(signed).toBeGreaterThan(10);
    expect(new Set(Object.values(rest))).toEqual(new Set([0]));
    expect(verified.facts.acceptedPayments()).toHaveLength(2);
  });

  test('counts signatures over private values and over erased values', async () => {
    const log = await HonestLog.told();
    const fields = { payout_address: '0x1' };
    const update = ProfileUpdated({ muse_id: THIRD, payout_address: '0x1' });
    await log.signed(THIRD, Muse.streamName(THIRD), { endpoint: 'profile', fields }, update);
    expect((await verify(log.source())).claims.private).toBe(1);
    await log.stores.keys.destroy(THIRD);
    const { claims, findings } = await verify(log.source());
    expect(findings.list).toEqual([]);
    expect(claims.private + claims.erased).toBe(3);
  });
});

test('a public event that is shown only by its digest is found', async () => {
  const { id, type, version, position, at, digest } = honest.at(-1)!;
  const cut = { id, type, version, position, at, digest } as PublicEvent;
  expect((await found([...honest.slice(0, -1), cut])).map(({ problem }) => problem)).toContainEqual(
    `Only its digest is shown, but ${type} is not a private type.`,
  );
});

test('a log that is examined in two parts gives the findings of the whole log', async () => {
  const events = changed('Accepted', () => ({ actor: THIRD }));
  const part = indexOf('Delivered');
  const verifier = new LogVerifier({}, OPTIONS);
  await verifier.examine(sourceOf(events.slice(0, part)));
  expect((await verifier.finish()).findings.list).toEqual([]);
  verifier.tree.expect(kept());
  await verifier.examine(sourceOf(events.slice(part)));
  const whole = await verify(events, { checkpoints: [kept()] });
  expect(whole.findings.list).not.toEqual([]);
  expect(await verifier.finish()).toMatchObject({ root: whole.root, head: whole.head, findings: whole.findings });
});

describe('the audit of a log', () => {
  test('reports a changed byte in any stored event', async () => {
    for (const [at, event] of honest.entries()) {
      const text = JSON.stringify(stored(event)).replace(/"at":(\d+)/, (_all, ms) => `"at":${Number(ms) + 1}`);
      const [first] = await found(honest.with(at, { ...(JSON.parse(text) as StoredEvent), digest: event.digest }));
      expect(first).toMatchObject({ kind: 'digest', position: event.position, stream: event.stream });
    }
  });

  test('reports a changed event with a matching digest, given a kept checkpoint', async () => {
    for (const [at, event] of honest.entries()) {
      const other = { ...event, at: event.at + 1 };
      const events = honest.with(at, { ...other, digest: feedEventDigest(other) });
      const kinds = (await found(events, { checkpoints: [kept()] })).map(({ kind }) => kind);
      expect(kinds).toContain('tree');
    }
  });

  test('reports a dropped event', async () => {
    const events = honest.toSpliced(indexOf('DeliveryRead'), 1);
    expect(linesOf(await found(events))).toContain(
      'Accepted: It is at revision 3 of its stream, but revision 2 is missing.',
    );
  });

  test('reports a dropped stream, given a kept checkpoint', async () => {
    const events = honest.filter(({ stream }) => stream !== `application-${ROLE}:${WORKER}`);
    expect((await found(events, { checkpoints: [kept()] })).at(-1)!.problem).toContain('its end was cut off');
  });

  test('reports two swapped events', async () => {
    const at = indexOf('Delivered');
    const events = honest.with(at, honest[at + 1]!).with(at + 1, honest[at]!);
    const sentences = linesOf(await found(events, { checkpoints: [kept()] }));
    expect(sentences[0]).toContain('DeliveryRead: It is at revision 2 of its stream, but revision 1 is missing.');
    expect(sentences.join()).toContain('Its position is not after the previous');
    expect(sentences.at(-1)).toContain('The kept checkpoint says');
  });

  test('reports a cut tail only if there is a kept checkpoint', async () => {
    const events = honest.slice(0, -3);
    expect(await found(events)).toEqual([]);
    expect(linesOf(await found(events, { checkpoints: [kept()] }))).toEqual([
      `null: The kept checkpoint covers ${honest.length} events, but the log ends after ${honest.length - 3}: its end was cut off.`,
    ]);
  });

  test('reports a replaced signature', async () => {
    const events = changed('Applied', ofRequest('signature', sign(ISSUER_SEED, 'something else')));
    expect(await found(events)).toMatchObject([{ kind: 'signature', type: 'Applied' }]);
    expect(await found(events, { second: true })).toHaveLength(1);
  });

  test('the audit of a log reports a signature by a key that its muse never had', async () => {
    const log = await HonestLog.told();
    const request = { endpoint: 'profile', fields: { bio: 'Mine.' }, seed: ISSUER_SEED };
    await log.signed(THIRD, Muse.streamName(THIRD), request, ProfileUpdated({ muse_id: THIRD, bio: 'Mine.' }));
    const findings = await found(await log.shown());
    expect(findings).toMatchObject([{ kind: 'signature', type: 'ProfileUpdated' }]);
    expect(findings[0]!.problem).toContain(`It is signed with the key ${ISSUER_KEY}`);
  });

  test('the audit of a log reports a changed field of a signed request', async () => {
    const events = changed('Applied', ofRequest('fields', { role: ROLE, note: 'I am not.' }));
    expect(linesOf(await found(events)).join()).toContain('Applied: The request that it shows is not the signed');
  });

  test('the audit of a log reports a shown value that differs from the signed value', async () => {
    const events = changed(
      'Applied',
      ofData(({ note }) => ({ note: { ...(note as JsonObject), value: 'Cheap.' } })),
    );
    expect(linesOf(await found(events)).join()).toMatch(/Its note differs.*does not match its commitment/);
  });

  test('the audit of a log reports a nonce used for two messages', async () => {
    const log = await HonestLog.told();
    const say = (bio: string) => {
      const request = { endpoint: 'profile', fields: { bio }, nonce: 'twice-the-same-nonce-' };
      return log.signed(THIRD, Muse.streamName(THIRD), request, ProfileUpdated({ muse_id: THIRD, bio }));
    };
    await say('One.');
    await say('Another.');
    expect(await found(await log.shown())).toMatchObject([{ kind: 'nonce', type: 'ProfileUpdated', revision: 3 }]);
  });

  test('the audit of a log reports a wrong revision and a duplicate id', async () => {
    const events = changed('Accepted', () => ({ revision: 7 }));
    expect(linesOf(await found(events))[0]).toBe(
      'Accepted: It is at revision 7 of its stream, but revision 3 is missing.',
    );
    const { id } = honest[indexOf('Delivered')]!;
    const again = linesOf(await found(changed('Accepted', () => ({ id }))));
    expect(again).toEqual([`Accepted: Its id ${id} already exists in its stream.`]);
  });

  test('the audit of a log reports a malformed event and an unknown event type', async () => {
    const broken = honest.with(3, { type: 'Applied', position: honest[3]!.position } as PublicEvent);
    expect((await found(broken))[0]).toMatchObject({ kind: 'source', position: honest[3]!.position });
    const unknown = linesOf(await found(changed('Accepted', () => ({ type: 'Invented' }))));
    expect(unknown).toContain(
      'Invented: This auditor does not know version 1 of Invented. Use a newer build of the auditor.',
    );
  });
});

describe('a kept checkpoint', () => {
  async function issuerFindings(seed: Uint8Array): Promise<string[]> {
    const { facts, findings } = await verify(honest);
    const text = checkpointText({ origin: 'jobs.example', ...kept() });
    const note = signedNote(text, 'jobs.example', ISSUER_KEY, sign(seed, text));
    checkCheckpointSigner(parseSignedCheckpoint(note, 'The kept checkpoint')!, facts.issuerKeys(), findings);
    return findings.list.map(({ problem }) => problem);
  }

  test('passes if the issuer signed it', async () => {
    expect(await issuerFindings(ISSUER_SEED)).toEqual([]);
  });

  test('is reported if another key signed it', async () => {
    expect((await issuerFindings(new Uint8Array(32).fill(8)))[0]).toContain('names the issuer key');
  });
});

const stored = ({ digest: _digest, ...event }: PublicEvent) => event;
