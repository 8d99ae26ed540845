import type { Collection, DocumentStore, Lease } from '#libs/documents/document-store.port.js';
import { type Position, POSITION_WIDTH, LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { LiveHook } from '#libs/features/webhooks/views/webhooks.js';
import type { AttemptFailure } from './delivery.js';
import { endOfPosition } from './webhook-outbox.js';

/** How many documents are read at once. */
const PAGE_SIZE = 1_000;
/** How often it is written that what was passed concerns no hook: it would be asked again, and mark nothing. */
const CHECKPOINT_INTERVAL_MS = 1_000;

/** A hook that something may wait for. One that nothing waits for has no entry. */
export type PendingDelivery = {
  readonly muse: string;
  readonly webhook: number;
  /** The place behind which it is told. */
  readonly after: { readonly since: Position; readonly name: string };
  /** Up to where in the log something may stand for it. */
  readonly upto: Position;
  /** Where the log said from where it is told: another one begins anew. */
  readonly since: Position;
  /** Failures in a row of the message behind `after`, and when the first of them was, unix ms. */
  readonly failures: number;
  readonly failing_since: number | null;
  /** What came of the last attempt where that failed; left out by builds that did not say it. */
  readonly failed?: AttemptFailure | null;
  /** When it is tried, unix ms. */
  readonly due: number;
  /** Whether it is not known what it was told already, for the documents were lost: old things are not told again. */
  readonly anew: boolean;
};

/** Of the message that is next. */
export const NO_FAILURES = { failures: 0, failing_since: null, failed: null } as const;

export const deliveryKey = ({ muse, webhook }: Pick<PendingDelivery, 'muse' | 'webhook'>) => `${muse}:${webhook}`;

/** Under which it stands among the documents, with the position up to which hooks were asked for. */
export const WEBHOOK_QUEUE: Projection<PendingDelivery> = {
  name: 'webhook_queue',
  version: 1,
  types: [],
  indexes: {},
  keys: () => [],
  evolve: () => null,
};

/**
 * Which hooks something waits for, in memory and among the documents: there and not in the log, for a delivery is no
 * event. What is not written yet when its process dies is delivered once more.
 */
export class WebhookQueue {
  private readonly entries = new Map<string, PendingDelivery>();
  private changedEntries = new Map<string, PendingDelivery | null>();
  private collection: Collection<PendingDelivery> | undefined;
  /** Up to where hooks were asked for, and up to where the documents say so. */
  private position!: Position;
  private writtenPosition!: Position;
  private writtenAt = -Infinity;
  /** The store takes a document that stands behind the one it has: of these, that is how often they were written. */
  private writes = 0;

  constructor(private readonly store: DocumentStore) {}

  /** What stands among the documents, where another process may have written meanwhile. */
  async load(): Promise<void> {
    this.collection ??= await this.store.open(WEBHOOK_QUEUE);
    this.entries.clear();
    this.changedEntries = new Map();
    this.position = this.writtenPosition = await this.collection.checkpoint();
    for (let last: string | undefined; ;) {
      const page = await this.collection.scan(PAGE_SIZE, last);
      for (const { id, body, position } of page) {
        this.entries.set(id, body);
        this.writes = Math.max(this.writes, Number(position));
      }
      if (page.length < PAGE_SIZE) return;
      last = page.at(-1)!.id;
    }
  }

  /** Up to here hooks were asked for. */
  get matchedPosition(): Position {
    return this.position;
  }

  get size(): number {
    return this.entries.size;
  }

  all(): IterableIterator<PendingDelivery> {
    return this.entries.values();
  }

  get(key: string): PendingDelivery | undefined {
    return this.entries.get(key);
  }

  /** Something may stand for a hook up to a position, and nothing did up to `from`. */
  schedule(muse: string, hook: LiveHook, { from, upto, now }: { from: Position; upto: Position; now: number }): void {
    const { webhook, since } = hook;
    const known = this.entries.get(deliveryKey({ muse, webhook }));
    if (known) return this.put({ ...known, upto });
    const after = endOfPosition(from > since ? from : since);
    this.put({ muse, webhook, after, upto, since, ...NO_FAILURES, due: now, anew: from === LOG_START });
  }

  /** A hook is told again from where its owner says. */
  restart(muse: string, { webhook, after, since }: LiveHook, upto: Position, now: number): void {
    this.put({
      muse,
      webhook,
      after: endOfPosition(after),
      upto,
      since,
      ...NO_FAILURES,
      due: now,
      anew: false,
    });
  }

  /** What became of an attempt; of one that began before the hook was told to begin anew, nothing. */
  update(before: PendingDelivery, changed: Partial<PendingDelivery>): PendingDelivery | null {
    const known = this.entries.get(deliveryKey(before));
    if (!known || known.since !== before.since) return null;
    const next = { ...known, ...changed };
    this.put(next);
    return next;
  }

  /** The log ends before what was seen of it: what waited may be gone, and everything is asked for once more. */
  async reset(lease: Lease): Promise<void> {
    for (const entry of [...this.entries.values()]) this.remove(entry);
    await this.write(LOG_START, lease);
  }

  remove(entry: Pick<PendingDelivery, 'muse' | 'webhook'>): void {
    const key = deliveryKey(entry);
    if (this.entries.delete(key)) this.changedEntries.set(key, null);
  }

  /** Writes what has changed, and that hooks were asked for up to a position. Throws `CommitConflict`. */
  async write(to: Position, lease: Lease): Promise<void> {
    const isSoon = performance.now() - this.writtenAt < CHECKPOINT_INTERVAL_MS;
    if (this.changedEntries.size === 0 && (isSoon || to === this.writtenPosition)) {
      this.position = to;
      return;
    }
    const changed = this.changedEntries;
    this.changedEntries = new Map();
    this.writes += 1;
    const position = String(this.writes).padStart(POSITION_WIDTH, '0');
    const documents = [...changed].map(([id, body]) => ({ id, position, body }));
    await this.store.commit([{ projection: WEBHOOK_QUEUE, documents, from: this.writtenPosition, to }], lease);
    this.position = this.writtenPosition = to;
    this.writtenAt = performance.now();
  }

  private put(entry: PendingDelivery): void {
    this.entries.set(deliveryKey(entry), entry);
    this.changedEntries.set(deliveryKey(entry), entry);
  }
}
