import type { SaltedCommitment } from './commitment.js';
import { deriveAgentId, deriveEventId, type Integers } from './ids.js';

/** What a request makes besides texts: derived from it, so that the same request makes the same again. */
export interface Ids {
  /** 12 digits: of a hire, a post, a message, a recheck. Where it is taken by another request, `decide` throws `IdTaken`. */
  id(kind: string): number;
  /** 13 to 15 digits: of an item of the feed that lives in another stream than a post's. */
  item(kind: string): number;
  /** `<prefix>-` and an id: of a job. */
  slug(prefix: string): string;
  /** A muse_id, derived from a public key, or without one from the request. */
  agent(publicKey?: string): string;
  /** A commitment to a text, which its author may erase with the salt. */
  salted(kind: string, text: string): SaltedCommitment;
}

/** Derives from a request key; `counter` is raised while what was derived is taken. */
export class DerivedIds implements Ids {
  constructor(
    private readonly integers: Integers,
    private readonly requestKey: string,
    readonly counter = 0,
  ) {}

  /** Derives from another request key or counter with the same secret. */
  from(requestKey: string, counter = 0): DerivedIds {
    return new DerivedIds(this.integers, requestKey, counter);
  }

  /** The id of the request's first event of a type in a stream: it finishes a claim. */
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
