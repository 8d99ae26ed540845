import { describe, expect, test } from '@jest/globals';
import { auditEvents } from '#apps/demo/feed-audit.js';
import { verifyEvent } from '#libs/audit/signatures.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import { publicKeyNoble, signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { signedMessage } from '#libs/platform/signing/signed-message.js';

const TAG = 'service-v1';
const MUSE = 'agent_0123456789';
const SEED = new Uint8Array(32).fill(3);
const KEY = publicKeyNoble(SEED);
const SALT = 'ab'.repeat(32);

const sealed = (value?: unknown) => ({ sealed: 'c2VhbGVk', ...(value !== undefined && { value }) });

interface Parts {
  readonly fields?: { readonly [name: string]: string };
  readonly endpoint?: string;
  readonly seed?: Uint8Array;
  readonly type?: string;
  readonly data?: object;
  readonly position?: number;
  /** Overrides sealed values, or replaces the whole sealed request. */
  readonly shown?: object;
  readonly request?: object | null;
}

function eventOf({
  fields = { role: 'job-1', note: 'Ça va' },
  endpoint = 'apply',
  seed = SEED,
  ...rest
}: Parts = {}): PublicEvent {
  const key = publicKeyNoble(seed);
  const museId = endpoint === 'register' ? key : MUSE;
  const stamp = { timestamp: '1764000000000', nonce: 'n'.repeat(24) };
  const message = signedMessage({ tag: TAG, endpoint, museId, fields, ...stamp });
  const commitment = computeCommitment(SALT, message);
  const values = { signature: signNoble(seed, message), fields, salt: SALT, ...rest.shown };
  const request = rest.request === undefined ? sealed(values) : rest.request;
  const authorization = { mode: 'signature', public_key: key, endpoint, ...stamp, commitment, sealed: request };
  return digested(
    { type: rest.type ?? 'Applied', data: rest.data ?? { role: 'job-1', note: sealed('Ça va') }, authorization },
    rest.position,
  );
}

function digested(parts: object, position = 1): PublicEvent {
  const envelope = {
    id: `id-${position}`,
    version: 1,
    stream: 'job-job-1',
    revision: 0,
    at: 1,
    actor: MUSE,
    cause: 'request/1',
    decided_by: 'test@1',
    based_on: {},
  };
  const event = { ...envelope, position: String(position).padStart(20, '0'), ...parts } as unknown as PublicEvent;
  return { ...event, digest: feedEventDigest(event) };
}

describe('the verification of a public event', () => {
  test('accepts a signature that the feed shows', () => {
    expect(verifyEvent(eventOf(), TAG)).toEqual({ digest: true, signature: true });
  });

  test('accepts a registration signed by its new key', () => {
    expect(
      verifyEvent(eventOf({ endpoint: 'register', fields: { public_key: KEY, name: 'Ada' } }), TAG).signature,
    ).toBe(true);
  });

  test('rejects a field that differs from the signed field', () => {
    const event = eventOf({ shown: { fields: { role: 'job-2', note: 'Ça va' } } });
    expect(verifyEvent(event, TAG)).toEqual({ digest: true, signature: false });
  });

  test('rejects a salt that differs from the committed salt', () => {
    expect(verifyEvent(eventOf({ shown: { salt: 'cd'.repeat(32) } }), TAG).signature).toBe(false);
  });

  test('rejects another message tag', () => {
    expect(verifyEvent(eventOf(), 'other-v1').signature).toBe(false);
  });

  test.each([
    ['private', sealed()],
    ['erased', null],
  ])('cannot rebuild a signature over %s fields, but checks the digest', (_case, request) => {
    expect(verifyEvent(eventOf({ request }), TAG)).toEqual({ digest: true, signature: 'hidden' });
  });

  test('rejects a changed clear value by its digest', () => {
    expect(verifyEvent({ ...eventOf(), at: 2 }, TAG).digest).toBe(false);
  });

  test('skips a private event that is shown only by its digest', () => {
    const event = {
      id: 'x',
      type: 'MessageSent',
      version: 1,
      position: '1',
      at: 1,
      digest: '00',
    } as unknown as PublicEvent;
    expect(verifyEvent(event, TAG)).toEqual({ digest: null, signature: null });
  });
});

describe('the audit of a story', () => {
  const token = digested(
    {
      type: 'Applied',
      data: {},
      authorization: { mode: 'bearer', token: '00', endpoint: 'apply', sealed: sealed({ fields: {} }) },
    },
    2,
  );
  const service = digested({ type: 'Hired', data: {}, authorization: { mode: 'service', reason: 'x' } }, 3);

  test('counts each event by its kind of proof', () => {
    const findings = auditEvents([eventOf(), token, service, eventOf({ position: 4, request: sealed() })], TAG);
    expect(findings).toEqual({ events: 4, digests: 4, signatures: 1, hidden: 1, tokens: 1, service: 1 });
  });

  test('reports a valid signature by an unregistered key', () => {
    const registered = eventOf({
      type: 'Registered',
      data: { muse_id: MUSE, public_key: KEY },
      endpoint: 'register',
      fields: { public_key: KEY },
    });
    const forged = eventOf({ seed: new Uint8Array(32).fill(4), position: 2 });
    expect(() => auditEvents([registered, forged], TAG)).toThrow('a key that its actor did not register');
  });

  test('reports events out of order', () => {
    expect(() => auditEvents([service, token], TAG)).toThrow('has a position before that of the previous event');
  });

  test('reports a broken digest', () => {
    expect(() => auditEvents([{ ...token, digest: '00'.repeat(32) }], TAG)).toThrow('The digest of Applied');
  });
});
