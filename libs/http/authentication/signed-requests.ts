import { deriveAgentId, isSiblingId, MUSE_ID } from '#libs/kernel/ids.js';
import { type Clock, MINUTE_MS } from '#libs/kernel/clock.js';
import type { Authorization, RequestFields } from '#libs/kernel/event.js';
import { Refusal, refuseFields, rule } from '#libs/kernel/refusal.js';
import type { FieldFault } from '#libs/kernel/field-faults.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { newSalt } from '#libs/platform/signing/fresh-bytes.js';
import { importPublicKey, verifyInPool, verifyStrict } from '#libs/platform/signing/ed25519.js';
import { UNSIGNED_FIELDS, signedMessage } from '#libs/platform/signing/signed-message.js';
import type { WriteRoute } from '#libs/http/routes.js';
import type { Caller, AuthenticationGuard } from './authentication.js';
import type { Principal, Principals } from './principals.port.js';
import type { SiblingRecord, SiblingIdentities } from './siblings.port.js';

export const WINDOW_MS = 5 * MINUTE_MS;

const TIMESTAMP = /^[0-9]{13}$/;
const NONCE = /^[A-Za-z0-9_-]{16,128}$/;
const PUBLIC_KEY = /^[A-Za-z0-9_-]{43}$/;

export class SignedRequests {
  private readonly pending: ((isAlone: boolean) => void)[] = [];

  constructor(
    private readonly principals: Principals,
    private readonly siblings: SiblingIdentities,
    private readonly clock: Clock,
    private readonly tag: string,
  ) {}

  /** `caller`: a `newKey` signs the request that registers it, a `recoveryKey` acts instead of the key of its muse. */
  async verify(
    endpoint: string,
    fields: RequestFields,
    caller: WriteRoute['caller'],
    guard?: AuthenticationGuard,
  ): Promise<Caller> {
    const newKey = caller === 'newKey';
    const shared = parseSharedFields(fields, newKey);
    this.checkTimestamp(shared.timestamp);
    const isRecovery = caller === 'recoveryKey';
    const signer = isRecovery
      ? { principal: await this.principals.get(shared.museId) }
      : await this.signerOf(shared.museId, guard);
    const keys = newKey ? [shared.signer] : isRecovery ? this.recoveryKeysOf(signer) : [findSigningKey(signer)];
    const text = signedMessage({ tag: this.tag, endpoint, ...shared, museId: shared.signer, fields });
    const message = Buffer.from(text);
    const key = await this.findSigner(keys, message, fields['signature']!);
    rule(key !== undefined, 'signature_mismatch', 'The signature does not match the request.', {
      more: { canonical_message_preview: text },
      hint: 'Sign exactly the bytes of `canonical_message_preview`.',
    });
    const principal = await this.admitSibling(signer, guard);
    const authorization = authorizationOf(endpoint, fields, key, message);
    const signed = { message, nonce: shared.nonce };
    return { id: principal.id, principal, authorize: () => authorization, tokenHint: null, signed };
  }

  private async signerOf(id: string, guard?: AuthenticationGuard): Promise<Signer> {
    const principal = await this.principals.get(id);
    if (!isSiblingId(id)) return { principal };
    const sibling = await this.siblings.find(principal, guard);
    if (sibling === null) throw unknownMuse();
    return { principal: await this.principals.get(id), sibling };
  }

  private async admitSibling({ principal, sibling }: Signer, guard?: AuthenticationGuard): Promise<Principal> {
    if (!sibling || principal.isKnown) return principal;
    await guard?.refundLookUp();
    await sibling.admit();
    return this.principals.get(principal.id);
  }

  private checkTimestamp(timestamp: string): void {
    const now = this.clock.now();
    rule(
      Math.abs(now - Number(timestamp)) <= WINDOW_MS,
      'timestamp_out_of_window',
      'The timestamp differs from the server’s clock by more than 5 minutes.',
      // A timestamp in the future becomes valid later.
      { more: { server_time: now }, retryable: Number(timestamp) > now },
    );
  }

  private recoveryKeysOf({ principal }: Signer): readonly string[] {
    return principal.recoveryKeysAt(this.clock.now());
  }

  private async findSigner(keys: readonly string[], message: Uint8Array, signature: string) {
    const valid = await Promise.all(keys.map(key => this.verifySignature(key, message, signature)));
    return keys.find((_key, index) => valid[index]);
  }

  /** Batches the signatures of one event loop turn: verifies a single one on this thread, several in the pool. */
  private verifySignature(key: string, message: Uint8Array, signature: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.pending.push(isAlone => {
        const valid = isAlone ? verifyStrict(key, message, signature) : verifyInPool(key, message, signature);
        Promise.resolve(valid).then(resolve, reject);
      });
      if (this.pending.length === 1) setImmediate(() => this.verifyPending());
    });
  }

  private verifyPending(): void {
    const pending = this.pending.splice(0);
    for (const verify of pending) verify(pending.length === 1);
  }
}

function parseSharedFields(fields: RequestFields, newKey: boolean) {
  const { muse_id: museId = '', timestamp = '', nonce = '', public_key: publicKey = '' } = fields;
  const faults = [
    ...(newKey
      ? findNewKeyFaults(publicKey, museId)
      : findFormFault('muse_id', museId, MUSE_ID.test(museId), MUSE_ID_FORM)),
    ...findFormFault(
      'timestamp',
      timestamp,
      TIMESTAMP.test(timestamp),
      '`timestamp` must be unix milliseconds as 13 digits.',
    ),
    ...findFormFault('nonce', nonce, NONCE.test(nonce), '`nonce` must have 16 to 128 characters of A-Z a-z 0-9 _ -.'),
  ];
  refuseFields(faults);
  return { museId: newKey ? deriveAgentId(publicKey) : museId, signer: newKey ? publicKey : museId, timestamp, nonce };
}

const MUSE_ID_FORM = '`muse_id` must be `muse_` and 4 to 40 characters of a-z0-9, or `agent_` and 10 of them.';

function findFormFault(field: string, value: string, isWellFormed: boolean, error: string): FieldFault[] {
  return isWellFormed ? [] : [{ field, reason: value === '' ? 'missing' : 'malformed', error }];
}

function findNewKeyFaults(publicKey: string, museId: string): FieldFault[] {
  const isKey = PUBLIC_KEY.test(publicKey) && importPublicKey(publicKey) !== null;
  const keyForm = '`public_key` must be an ed25519 public key: 43 base64url characters, not a weak key.';
  const isOmitted = museId === '' || museId === publicKey;
  return [
    ...findFormFault('public_key', publicKey, isKey, keyForm),
    ...(isOmitted ? [] : [{ field: 'muse_id', reason: 'conflicting', error: MUSE_ID_OF_NEW_KEY } as const]),
  ];
}

const MUSE_ID_OF_NEW_KEY = 'Leave out `muse_id` here, or set it to your `public_key`.';

interface Signer {
  readonly principal: Principal;
  readonly sibling?: SiblingRecord;
}

const unknownMuse = () => new Refusal('unknown_muse', 'No identity has this `muse_id`.');

function findSigningKey({ principal: { isKnown, publicKey }, sibling }: Signer): string {
  if (!isKnown && sibling) return sibling.publicKey;
  if (!isKnown) throw unknownMuse();
  if (publicKey === null) throw new Refusal('no_key', 'This identity has no key. Use its bearer token.');
  return publicKey;
}

function authorizationOf(endpoint: string, fields: RequestFields, key: string, message: Uint8Array): Authorization {
  const salt = newSalt();
  const signed = Object.fromEntries(Object.entries(fields).filter(([name]) => !UNSIGNED_FIELDS.has(name)));
  return {
    mode: 'signature',
    public_key: key,
    endpoint,
    timestamp: fields['timestamp']!,
    nonce: fields['nonce']!,
    commitment: computeCommitment(salt, message),
    sealed: { signature: fields['signature']!, fields: signed, salt },
  };
}
