import type { Salted } from '#libs/kernel/commitment.js';
import { agentId, type Integers } from '#libs/kernel/ids.js';

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
  salted(kind: string, text: string): Salted;
}

/** Derives from a request key; `counter` is raised while what was derived is taken. */
export class DerivedIds implements Ids {
  constructor(
    private readonly integers: Integers,
    private readonly requestKey: string,
    readonly counter: number,
  ) {}

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
    return agentId(publicKey, this.counter);
  }

  salted(kind: string, text: string): Salted {
    return this.integers.salted(kind, this.requestKey, text);
  }
}
