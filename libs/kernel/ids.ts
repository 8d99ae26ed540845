import { createHmac, hash } from 'node:crypto';
import { computeCommitment, type SaltedCommitment } from './commitment.js';
import { REQUEST_CAUSE } from './event.js';

/**
 * Ids are derived from the key of the request or decision, so a repetition creates the same ones. Integers and salts use
 * an HMAC with a vault key: otherwise a request could be chosen to hit another muse's number.
 */
const UNIT = '\u001f';
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';
export const ID_ATTEMPTS_MAX = 10;

function sha256(...parts: (string | number)[]): Buffer {
  return hash('sha256', parts.join(UNIT), 'buffer');
}

export const MUSE_ID = /^(muse_[a-z0-9]{4,40}|agent_[a-z0-9]{10})$/;

export const isSiblingId = (museId: string) => museId.startsWith('muse_');

/** UUID version 8 (RFC 9562) of the event number `ordinal` of this type in the stream. Its key is public. */
export function deriveEventId(key: string, stream: string, type: string, ordinal: number): string {
  const bytes = sha256('event', key, stream, type, ordinal).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function deriveBase36(length: number, ...parts: (string | number)[]): string {
  let number = BigInt(`0x${sha256('base36', ...parts).toString('hex')}`);
  let text = '';
  for (; text.length < length; number /= 36n) text += BASE36[Number(number % 36n)];
  return text;
}

export function deriveAgentId(source: string, counter = 0): string {
  return `agent_${deriveBase36(10, 'agent', source, counter)}`;
}

/** Hides the nonce or the idempotency key that identifies a request. */
export const formatRequestCause = (key: string) => `${REQUEST_CAUSE}${sha256Hex(key).slice(0, 32)}`;

export function identifyRequest(key: string) {
  const cause = formatRequestCause(key);
  return { requestKey: cause, cause, isUnrepeatable: key.startsWith(RANDOM_KEY_PREFIX) };
}

/** Key of the ids that a decision derives, unless it declares another: the request, or the cause and the decision. */
export const formatDecisionKey = (cause: string, decidedBy: string) =>
  cause.startsWith(REQUEST_CAUSE) ? cause : `${cause}/${decidedBy.split('@', 1)[0]!}`;

/** Key of a nonce or an idempotency key, and the only muse that can use it, if there is one. */
export interface RequestKey {
  readonly value: string;
  readonly museId?: string;
}

const RANDOM_KEY_PREFIX = 'once/';
export const randomRequestKey = (random: string) => RANDOM_KEY_PREFIX + random;

export class IdCollision extends Error {}

export async function retryOnIdCollision<T>(make: (counter: number) => Promise<T>): Promise<T> {
  for (let counter = 0; counter < ID_ATTEMPTS_MAX; counter += 1) {
    try {
      return await make(counter);
    } catch (error) {
      if (!(error instanceof IdCollision)) throw error;
    }
  }
  throw new Error(`No derived id was free within ${ID_ATTEMPTS_MAX}.`);
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** Derives values with a vault key, so that outsiders cannot predict them. */
export class Integers {
  constructor(private readonly key: Uint8Array) {}

  id(kind: string, requestKey: string, counter = 0): number {
    return this.between(100_000_000_000n, 1_000_000_000_000n, kind, requestKey, counter);
  }

  item(kind: string, requestKey: string, counter = 0): number {
    return this.between(1_000_000_000_000n, 1_000_000_000_000_000n, kind, requestKey, counter);
  }

  /** Hides a guessable value such as an `Idempotency-Key`. */
  requestKey(kind: string, guessable: string): string {
    return `${kind}/${this.mac('request-key', kind, guessable)}`;
  }

  salted(kind: string, requestKey: string, text: string): SaltedCommitment {
    const salt = this.mac('salt', kind, requestKey);
    return { salt, commitment: computeCommitment(salt, text) };
  }

  private between(from: bigint, to: bigint, ...parts: (string | number)[]): number {
    return Number(from + (BigInt(`0x${this.mac(...parts)}`) % (to - from)));
  }

  private mac(...parts: (string | number)[]): string {
    return createHmac('sha256', this.key).update(parts.join(UNIT)).digest('hex');
  }
}

/** Values derived from a request: the same request gets the same values. */
export interface Ids {
  /** 12 digits: hire, post, message, recheck. If it is taken, `decide` throws `IdCollision`. */
  id(kind: string): number;
  /** 13 to 15 digits: feed items outside a post's stream. */
  item(kind: string): number;
  slug(prefix: string): string;
  agent(publicKey?: string): string;
  salted(kind: string, text: string): SaltedCommitment;
}

/** `counter` is raised while the derived id is taken. */
export class DerivedIds implements Ids {
  constructor(
    private readonly integers: Integers,
    private readonly requestKey: string,
    readonly counter = 0,
  ) {}

  from(requestKey: string, counter = 0): DerivedIds {
    return new DerivedIds(this.integers, requestKey, counter);
  }

  event(stream: string, type: string): string {
    return deriveEventId(this.requestKey, stream, type, 0);
  }

  id(kind: string): number {
    return this.integers.id(kind, this.requestKey, this.counter);
  }

  item(kind: string): number {
    return this.integers.item(kind, this.requestKey, this.counter);
  }

  slug(prefix: string): string {
    return `${prefix}-${this.id(prefix)}`;
  }

  agent(publicKey = this.requestKey): string {
    return deriveAgentId(publicKey, this.counter);
  }

  salted(kind: string, text: string): SaltedCommitment {
    return this.integers.salted(kind, this.requestKey, text);
  }
}
