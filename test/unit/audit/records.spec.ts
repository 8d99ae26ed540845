import { describe, expect, test } from '@jest/globals';
import { Findings } from '#libs/audit/findings.js';
import { checkRecord } from '#libs/audit/records.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { keyId } from '#libs/issuer/issuer.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { sign } from '#libs/platform/signing/ed25519.js';
import { ISSUER_KEY, ISSUER_SEED } from './honest-log.js';

const KID = keyId(ISSUER_KEY);
const RETIRED_AT = Date.UTC(2026, 10, 21);
const state = { type: 'Hired', id: 'the-event', stream: 'hire-1', revision: 0, at: '2026-11-20T00:00:00.000Z' };
const said = { kind: 'hire', hire: 1, states: [state], issued_at: '2026-11-20T00:00:00.000Z' };

function recordOf(content: object = said, seed = ISSUER_SEED, kid = KID) {
  const payload = canonicalJson(content);
  return { payload, signature: sign(seed, payload), kid };
}

function found(record: ReturnType<typeof recordOf>, until: number | null = null, hire = 1): string[] {
  const isOf = (payload: JsonObject) => payload['hire'] === hire;
  const findings = new Findings();
  const keys = [{ kid: KID, public_key: ISSUER_KEY, from: 0, until }];
  const stands = (id: string, _stream: string, revision: number) => (revision > 3 ? null : id === 'the-event');
  checkRecord(record, { path: 'The record', matches: isOf }, { keys, isAtRevision: stands }, findings);
  return findings.list.map(({ problem }) => problem);
}

describe('a signed record', () => {
  test('passes if the issuer signed it and its events exist', () => {
    expect(found(recordOf())).toEqual([]);
  });

  test('is reported if another key signed it', () => {
    expect(found(recordOf(said, new Uint8Array(32).fill(4)))).toEqual([
      `The record names the key ${KID}, but its signature does not verify.`,
    ]);
    expect(found(recordOf(said, new Uint8Array(32).fill(4), 'another'))[0]).toContain('which the log does not name');
  });

  test('is reported if it is about another hire', () => {
    expect(found(recordOf(), null, 2)).toEqual(['The record returned the record of another subject.']);
  });

  test('is reported if it was issued after its key was retired', () => {
    expect(found(recordOf(), RETIRED_AT)).toEqual([]);
    expect(found(recordOf({ ...said, issued_at: RETIRED_AT + 1 }), RETIRED_AT)[0]).toContain('was retired');
  });

  test('is reported if it names a missing event, unless that is newer than the log', () => {
    expect(found(recordOf({ ...said, states: [{ ...state, id: 'invented' }] }))).toEqual([
      'The record names the event invented at hire-1@0, but the log does not have it there.',
    ]);
    expect(found(recordOf({ ...said, states: [{ ...state, id: 'newer', revision: 4 }] }))).toEqual([]);
  });

  test('is reported if its payload is not canonical', () => {
    const payload = JSON.stringify({ b: 1, a: 2 });
    expect(found({ payload, signature: sign(ISSUER_SEED, payload), kid: KID })[0]).toContain('not canonical JSON');
  });
});
