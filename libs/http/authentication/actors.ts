import { LRUCache } from 'lru-cache';
import { Refusal } from '#libs/kernel/refusal.js';
import { Muse } from '#libs/streams/muse.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Position, Revision } from '#libs/kernel/event.js';

/** How many muses one process keeps folded. */
const ACTORS_MAX = 20_000;

export interface Actor {
  readonly muse: Muse;
  /** The revision of the muse's stream that this is; -1 for a stream without events. */
  readonly revision: Revision;
  /** The moment that it is as of. */
  readonly asOf: Position;
}

/** Whatever key or token it had: who has erased itself is told so. */
export function mustNotBeForgotten({ muse }: Actor): void {
  if (muse.status === 'forgotten') throw new Refusal('forgotten', 'The identity was erased by its owner.');
}

/**
 * Who may act: the keys, tokens and states of muses, folded from their own streams. A cached state is brought up to
 * date with the log at every look, so that a revoked token or a replaced key is refused at once in every process.
 */
export class Actors {
  private readonly cache = new LRUCache<string, Omit<Actor, 'asOf'>>({ max: ACTORS_MAX });

  constructor(private readonly journal: Journal) {}

  async get(museId: string): Promise<Actor> {
    const known = this.cache.get(museId) ?? { muse: Muse.initial, revision: -1 };
    const asOf = await this.journal.log.moment();
    const news = await this.journal.read(Muse.named(museId), known.revision + 1, undefined, asOf);
    if (news.length === 0) return { ...known, asOf };
    const muse = news.reduce((state, event) => Muse.evolve(state, event), known.muse);
    const actor = { muse, revision: news.at(-1)!.revision };
    this.cache.set(museId, actor);
    return { ...actor, asOf };
  }
}
