import type { SaltedCommitment } from './commitment.js';
import { deriveAgentId, deriveEventId, type Integers } from './ids.js';

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
