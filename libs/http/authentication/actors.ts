import { Refusal } from '#libs/kernel/refusal.js';
import { Muse } from '#libs/domain/muse.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { BasedOn, Position } from '#libs/kernel/event.js';

export interface Actor {
  readonly muse: Muse;
  /** Revision of the muse's stream that it was read at; empty for a stream without events. */
  readonly basedOn: BasedOn;
  /** The moment that it is as of. */
  readonly asOf: Position;
}

/** Whatever key or token it had: who has erased itself is told so. */
export function mustNotBeForgotten({ muse }: Actor): void {
  if (muse.status === 'forgotten') throw new Refusal('forgotten', 'The identity was erased by its owner.');
}

/**
 * Who may act: the keys, tokens and states of muses, folded from their own streams. What is kept of a stream is brought
 * up to date with the log at every look, so that a revoked token or a replaced key is refused at once in every process.
 */
export class Actors {
  constructor(private readonly journal: Journal) {}

  async get(museId: string): Promise<Actor> {
    const asOf = await this.journal.log.moment();
    const { state: muse, stream, revision } = await this.journal.load(Muse.of(museId), asOf);
    return { muse, basedOn: revision === 'none' ? {} : { [stream]: revision }, asOf };
  }
}
