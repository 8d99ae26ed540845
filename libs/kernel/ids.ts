import { createHmac, hash } from 'node:crypto';
import { computeCommitment, type SaltedCommitment } from './commitment.js';

/**
 * Everything that a command makes is derived from its request key, so that carrying it out twice makes the same
 * thing twice. Names, ids and slugs come from SHA-256; integers and salts from an HMAC with a key of the vault, so
 * that nobody can choose a request that lands on somebody else's number, or test a guess.
 */
const UNIT = '\u001f';
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';

function sha256(...parts: (string | number)[]): Buffer {
  return hash('sha256', parts.join(UNIT), 'buffer');
}

/** A `muse_id`: of the sibling network with `muse_`, of this one with `agent_`. */
export const MUSE_ID = /^(muse_[a-z0-9]{4,40}|agent_[a-z0-9]{10})$/;

/** Whether an identity is one of the sibling network, which says what its key and its name are. */
export const isSiblingId = (museId: string) => museId.startsWith('muse_');

/** The id of the `ordinal`-th event of `type` that the request writes into `stream`: a UUID of version 8 (RFC 9562). */
export function deriveEventId(requestKey: string, stream: string, type: string, ordinal: number): string {
  const bytes = sha256('event', requestKey, stream, type, ordinal).subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** `length` characters of a-z0-9 derived from the parts. */
export function deriveBase36(length: number, ...parts: (string | number)[]): string {
  let number = BigInt(`0x${sha256('base36', ...parts).toString('hex')}`);
  let text = '';
  for (; text.length < length; number /= 36n) text += BASE36[Number(number % 36n)];
  return text;
}

/** `agent_` and 10 characters, derived from a public key or a request key; `counter` is raised while it is taken. */
export function deriveAgentId(source: string, counter = 0): string {
  return `agent_${deriveBase36(10, 'agent', source, counter)}`;
}

const RANDOM_KEY_PREFIX = 'once/';
/** The request key of a request that cannot be recognised if it is sent again. */
export const createRandomRequestKey = (random: string) => RANDOM_KEY_PREFIX + random;
/** Whether nothing can have been done under the request key before. */
export const isRandomRequestKey = (requestKey: string) => requestKey.startsWith(RANDOM_KEY_PREFIX);

/** A derived id belongs to another request already: the next counter is to be used. */
export class IdCollision extends Error {}

/** How many derived ids are tried; more collisions than that are a defect. */
export const ID_ATTEMPTS_MAX = 10;

/** Makes something under the first derived id that is free; `make` throws `IdTaken` where it is not. */
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

/** A sha256 in lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** Makes what is derived with a secret of one vault, so that nobody else can make it or aim at it. */
export class Integers {
  constructor(private readonly key: Uint8Array) {}

  /** 12 digits: posts, hires, messages, tasks, rechecks. */
  id(kind: string, requestKey: string, counter = 0): number {
    return this.between(100_000_000_000n, 1_000_000_000_000n, kind, requestKey, counter);
  }

  /** 13 to 15 digits: feed items that live in a stream that is not a post's. */
  item(kind: string, requestKey: string, counter = 0): number {
    return this.between(1_000_000_000_000n, 1_000_000_000_000_000n, kind, requestKey, counter);
  }

  /** A request key of what may be guessed, an `Idempotency-Key` for one: nobody can tell from it what it stands for. */
  requestKey(kind: string, guessable: string): string {
    return `${kind}/${this.mac('request-key', kind, guessable)}`;
  }

  /** A commitment to a text, with a salt that a repetition of the request makes again. */
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
