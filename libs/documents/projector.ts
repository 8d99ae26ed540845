import { randomUUID } from 'node:crypto';
import type { Journal } from '#libs/event-log/journal.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Event, Position, StoredEvent } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { fold, Poison, touched } from './fold.js';
import { KeptDocuments } from './kept-documents.js';
import type { ReadModels } from './read-models.js';
import { type Batch, type Collection, CommitConflict, type DocumentStore, type Lease } from './port.js';

/** How many events are folded and committed at once. */
const BATCH_EVENTS = 500;
const LEASE_NAME = 'projector';
const LEASE_MS = 10 * SECOND_MS;
/** How old a lease gets before it is taken again; every commit looks whether it is still there. */
const LEASE_RENEW_MS = 3 * SECOND_MS;
/** How long an idle projector waits at most before it looks at the log and its lease again. */
const IDLE_MS = 1 * SECOND_MS;
const RETRY_MS = 500;
/** How long it lets events come together that nobody waits for: a batch costs much the same whatever is in it. */
const GATHER_MS = 10;
/** How many documents are kept in memory from one batch to the next. */
const DOCUMENTS_KEPT_MAX = 20_000;
const DOCUMENTS_AT_ONCE = 1_000;

export interface ProjectorParts {
  readonly journal: Journal;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly projections: readonly Projection[];
  /** Is told how far the documents are, and which projection stopped. */
  readonly models: Pick<ReadModels, 'moved' | 'stop' | 'onWait'>;
  readonly log: { error(details: object, message: string): void };
}

/**
 * Folds the log into documents: one unfiltered read for all projections, each touched document written once a batch,
 * documents and checkpoints in one commit. One projector writes at a time; another stands by for its lease.
 */
export class Projector {
  private readonly holder = randomUUID();
  private readonly poisoned = new Set<string>();
  private readonly collections = new Map<string, Collection>();
  private checkpoints = new Map<string, Position>();
  /** What the live builds hold, while nobody else may write to them. */
  private readonly kept = new KeptDocuments(DOCUMENTS_KEPT_MAX);
  /** Kept through failures, so that stopping gives it back. */
  private lease: Lease | null = null;
  /** A failure may have left the store elsewhere than memory says. */
  private stale = true;
  private leasedAt = 0;
  private running: Promise<void> | null = null;
  private stopping = false;
  private readonly wakes: WakeSignal;

  constructor(private readonly parts: ProjectorParts) {
    this.wakes = new WakeSignal(parts.journal.log, GATHER_MS);
    parts.models.onWait(() => this.wakes.hurry());
  }

  async start(): Promise<void> {
    for (const projection of this.parts.projections) {
      this.collections.set(projection.name, await this.parts.store.open(projection));
    }
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakes.end();
    await this.running;
    if (this.lease) await this.parts.store.release(this.lease);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.wakes.arm();
      try {
        const events = (await this.mayWrite()) ? await this.step() : 0;
        if (events < BATCH_EVENTS) await this.wakes.sleep(events > 0 ? GATHER_MS : IDLE_MS);
      } catch (error) {
        await this.recover(error);
      }
    }
  }

  /** One batch; answers of how many events. */
  private async step(): Promise<number> {
    const alive = this.parts.projections.filter(({ name }) => !this.poisoned.has(name));
    if (alive.length === 0) return 0;
    const from = alive.map(({ name }) => this.checkpoints.get(name)!).reduce((a, b) => (a < b ? a : b));
    const page = await this.parts.journal.readAll(from, BATCH_EVENTS);
    if (page.events.length === 0) return 0;
    const batches = await Promise.all(
      alive.map(projection => this.batch(projection, eventsFor(projection, page), page.next)),
    );
    const good = batches.filter(batch => batch !== null);
    await this.parts.store.commit(good, this.lease!);
    for (const { projection, documents, to } of good) {
      this.checkpoints.set(projection.name, to);
      this.kept.put(projection.name, documents);
    }
    this.parts.models.moved(good.map(({ to }) => to).reduce((a, b) => (a < b ? a : b), page.next));
    return page.events.length;
  }

  private async batch(projection: Projection, page: readonly Event[], next: Position): Promise<Batch | null> {
    const from = this.checkpoints.get(projection.name)!;
    const events = page.filter(({ type, position }) => position > from && projection.types.includes(type));
    try {
      const before = await this.before(projection, touched(projection, events));
      return { projection, documents: fold(projection, events, before), from, to: next > from ? next : from };
    } catch (error) {
      if (!(error instanceof Poison)) throw error;
      this.poisoned.add(projection.name);
      this.parts.models.stop(projection.name, error.message);
      this.parts.log.error(
        { projection: projection.name, position: error.event.position, err: error.cause },
        error.message,
      );
      return null;
    }
  }

  private async before({ name }: Projection, ids: string[]) {
    const documents = this.kept.of(name, ids);
    const missing = ids.filter(id => !documents.has(id));
    for (let at = 0; at < missing.length; at += DOCUMENTS_AT_ONCE) {
      const found = await this.collections.get(name)!.getMany(missing.slice(at, at + DOCUMENTS_AT_ONCE));
      for (const document of found) documents.set(document.id, document);
    }
    return documents;
  }

  private async mayWrite(): Promise<boolean> {
    const now = this.parts.clock.now();
    const isFresh = Math.abs(now - this.leasedAt) < LEASE_RENEW_MS;
    if (this.lease && !this.stale && isFresh) return true;
    const before = this.lease?.epoch;
    this.lease = await this.parts.store.lease(LEASE_NAME, this.holder, LEASE_MS, now);
    this.leasedAt = now;
    if (this.lease && (this.stale || this.lease.epoch !== before)) await this.readCheckpoints();
    return this.lease !== null;
  }

  private async readCheckpoints(): Promise<void> {
    const entries = [...this.collections].map(
      async ([name, collection]) => [name, await collection.checkpoint()] as const,
    );
    this.checkpoints = new Map(await Promise.all(entries));
    this.kept.clear();
    this.stale = false;
  }

  private async recover(error: unknown): Promise<void> {
    if (!(error instanceof CommitConflict))
      this.parts.log.error({ err: error }, 'the projector could not go on; it tries again');
    this.stale = true;
    this.wakes.arm();
    await this.wakes.sleep(RETRY_MS);
  }
}

/** The events of a page in the form in which a projection folds them. */
export function eventsFor(
  { raw }: Projection,
  { events, stored }: { events: readonly Event[]; stored: readonly StoredEvent[] },
) {
  return raw ? (stored as readonly Event[]) : events;
}
