import type { FastifyRequest } from 'fastify';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { type Integers, type RequestKey, sha256Hex } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { readIdempotencyKey } from './idempotency-key.js';
import type { PaidRequests, PresentedPayment } from './paid-requests.port.js';
import { REPEAT_KEY_RETENTION, type RequestLock, type RequestLocks } from './request-locks.js';

/** A value that the caller chose, under which a request may be repeated with another signature or payment. */
interface RepeatKey {
  readonly kind: 'idempotency' | 'payment-identifier';
  readonly value: string;
}

export interface ComparedRequest {
  /** Empty for a new key: several of them may repeat one request. */
  readonly caller: string;
  readonly endpoint: string;
  readonly fields: RequestFields;
}

export interface HeldRepeatKey {
  readonly key: RequestKey;
  readonly lock: RequestLock;
}

const CONFLICTS = {
  idempotency: ['idempotency_conflict', 'You used this idempotency key for another request. Use a new key.'],
  'payment-identifier': [
    'payment_identifier_conflict',
    'You used this payment identifier for another request. Use a new one.',
  ],
} as const satisfies { readonly [kind in RepeatKey['kind']]: readonly [ServiceErrorCode, string] };

export function repeatKeysOf(request: FastifyRequest, payment: PresentedPayment | null): RepeatKey[] {
  const idempotencyKey = readIdempotencyKey(request);
  const identifier = payment?.identifier ?? null;
  return [
    ...(idempotencyKey === null ? [] : [{ kind: 'idempotency', value: idempotencyKey } as const]),
    ...(identifier === null ? [] : [{ kind: 'payment-identifier', value: identifier } as const]),
  ];
}

/** Locks the header `Idempotency-Key` and the x402 extension `payment-identifier`. Both save the answer for 24 h. */
export class RepeatKeys {
  constructor(
    private readonly locks: RequestLocks,
    private readonly integers: Integers,
    private readonly paidRequests: PaidRequests,
  ) {}

  /**
   * All returned locks have one request key: that of the first request under one of the keys, else `requestKey`.
   *
   * Errors: 409 `in_progress`, `idempotency_conflict`, `payment_identifier_conflict`.
   */
  async hold(keys: readonly RepeatKey[], request: ComparedRequest, requestKey?: string): Promise<HeldRepeatKey[]> {
    const [first, second] = keys;
    if (!first) return [];
    const held = await this.holdOne(first, request, requestKey);
    if (!second) return [held];
    try {
      const other = await this.holdOne(second, request, held.lock.requestKey);
      if (other.lock.requestKey === held.lock.requestKey) return [held, other];
      // Only the second key is known, or each belongs to a request of its own.
      if (!held.lock.isNew) throw conflictOf(second);
      await held.lock.release();
      return [await this.holdOne(first, request, other.lock.requestKey), other];
    } catch (error) {
      await held.lock.release();
      throw error;
    }
  }

  private async holdOne(repeatKey: RepeatKey, request: ComparedRequest, requestKey?: string): Promise<HeldRepeatKey> {
    const { caller, endpoint, fields } = request;
    const hash = sha256Hex(repeatKey.value);
    const isOfEndpoint = repeatKey.kind === 'idempotency';
    const name = [repeatKey.kind, caller, ...(isOfEndpoint ? [endpoint] : []), hash].join('/');
    const digest = sha256Hex(canonicalJson(isOfEndpoint ? fields : { endpoint, fields }));
    // Different new keys may repeat one key, so no muse owns it.
    const owner = caller === '' ? {} : { museId: caller };
    const keyOf = (digest: string) => ({
      value: this.integers.requestKey('idempotency', `${name}/${digest}`),
      ...owner,
    });
    const key = keyOf(digest);
    const lock = await this.locks.acquire(name, {
      digest,
      requestKey: requestKey ?? key.value,
      keep: REPEAT_KEY_RETENTION,
      conflict: () => conflictOf(repeatKey),
      isUnpaid: async other => !(await this.paidRequests.isPaid(keyOf(other))),
    });
    return { key, lock };
  }
}

function conflictOf({ kind }: RepeatKey): Refusal {
  const [code, message] = CONFLICTS[kind];
  return new Refusal(code, message);
}
