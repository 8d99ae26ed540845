import { expect } from '@jest/globals';
import type { DocumentStore } from '#libs/documents/port.js';
import { Projector } from '#libs/documents/projector.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Share } from '#libs/documents/share.js';
import type { Fact } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { ClaimLost, Forgotten } from '#libs/streams/muse.js';
import { MemoryCoordination } from '../doubles/memory-coordination.js';
import { asEvents } from '../given.js';
import { InMemoryStores } from '../unit/in-memory-stores.js';
import type { Open } from './adapters.js';

const STREAM = 'muse-agent_poster0000';
/** Who wrote all words. */
export const GONE = 'agent_0000000000';
export const WORDS = Array.from({ length: 60 }, (_, n) => `word-${n}`);
const quiet = { moved: () => undefined, stop: () => undefined, onWait: () => undefined };

type Watch = (id: string) => void;

/** A document for each word, which counts it and says who has; `watch` is told of each that is folded, and may throw. */
export const words = (watch: Watch = () => undefined): Projection => ({
  name: 'words',
  version: 1,
  types: [ClaimLost.type, Forgotten.type],
  indexes: { byMuse: ['muse'] },
  holders: ['byMuse'],
  isSplit: true,
  keys: event => (event.type === ClaimLost.type ? [(event.data as { claim: string }).claim] : []),
  evolve: (document, event, id): JsonObject | null => {
    if (event.type === Forgotten.type) return document ? { ...document, muse: null } : null;
    watch(id);
    return { muse: GONE, count: ((document?.count as number | undefined) ?? 0) + 1 };
  },
});

const running = new Set<Projector>();
/** Ends all that were started. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(each => each.stop()));
  running.clear();
}

/** A log, and processes that keep the documents of it, each with a connection of its own. */
export class Processes extends InMemoryStores {
  readonly coordination = new MemoryCoordination();
  readonly errors: string[] = [];
  readonly folded = new Map<string, string[]>();
  private appended = 0;

  constructor(private readonly open: Open<DocumentStore>) {
    super();
  }

  async say(...facts: readonly Fact[]): Promise<void> {
    for (const event of asEvents([...facts], STREAM))
      await this.journal.append(STREAM, 'any', [{ ...event, id: `said-${(this.appended += 1)}` }]);
  }

  sayAll = () => this.say(...WORDS.map(claim => ClaimLost({ claim })));

  async reader(): Promise<ReadModels> {
    const models = new ReadModels(await this.open(), this.log, this.clock, [words()]);
    await models.open();
    return models;
  }

  async start(me: string, watch?: Watch): Promise<Projector> {
    const { journal, clock, coordination } = this;
    const store = await this.open();
    const own = words(id => {
      this.folded.set(id, [...(this.folded.get(id) ?? []), me]);
      watch?.(id);
    });
    const share = new Share({ coordination, clock, groups: [[own]], parts: store.parts, me });
    const log = { error: (_details: object, message: string) => void this.errors.push(message) };
    const parts = { journal, store, clock, models: quiet, log, projections: [own], share, holder: me };
    const projector = new Projector(parts);
    running.add(projector);
    await projector.start();
    return projector;
  }

  /** Who folds what is said now, each word once; and so many have been folded since. */
  async owners(models: ReadModels): Promise<string[]> {
    this.folded.clear();
    await this.sayAll();
    expect(await models.reachHead()).toBe(true);
    expect([...this.folded.values()].map(by => by.length)).toEqual(WORDS.map(() => 1));
    return [...new Set([...this.folded.values()].flat())].sort();
  }
}

/** How often each word was counted. */
export const counts = async (models: ReadModels) =>
  (await models.of(words()).scan(100)).map(({ body }) => body.count as number);
