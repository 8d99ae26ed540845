import type { Collection, DocumentStore, Lease } from '#libs/documents/document-store.port.js';
import { type Position, POSITION_WIDTH, LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { LiveHook } from './views/webhooks.js';
import type { AttemptFailure } from './delivery.js';
import { endOfPosition } from './webhook-outbox.js';

const PAGE_SIZE = 1_000;
/** Writes a checkpoint without changes only this often: after a crash the events are matched again. */
const CHECKPOINT_INTERVAL_MS = 1_000;

export type PendingDelivery = {
  readonly muse: string;
  readonly webhook: number;
  /** Place of the last delivered message. */
  readonly after: { readonly since: Position; readonly name: string };
  readonly upto: Position;
  /** Position of the start or replay of the webhook; a new one resets the entry. */
  readonly since: Position;
  /** Consecutive failures of the next message, and the time of the first one, unix ms. */
  readonly failures: number;
  readonly failing_since: number | null;
  readonly failed?: AttemptFailure | null;
  readonly due: number;
  /** The documents were lost, so earlier deliveries are unknown: skip old messages. */
  readonly anew: boolean;
};

export const NO_FAILURES = { failures: 0, failing_since: null, failed: null } as const;

export const deliveryKey = ({ muse, webhook }: Pick<PendingDelivery, 'muse' | 'webhook'>) => `${muse}:${webhook}`;

/** Its checkpoint is the position up to which events were matched. */
export const WEBHOOK_QUEUE: Projection<PendingDelivery> = {
  name: 'webhook_queue',
  version: 1,
  types: [],
  indexes: {},
  keys: () => [],
  evolve: () => null,
};

/**
 * Pending deliveries, in memory and in the document store. Unwritten changes are lost in a crash, so these messages are
 * delivered again.
 */
export class WebhookQueue {
  private readonly entries = new Map<string, PendingDelivery>();
  private changedEntries = new Map<string, PendingDelivery | null>();
  private collection: Collection<PendingDelivery> | undefined;
  private position!: Position;
  private writtenPosition!: Position;
  private writtenAt = -Infinity;
  /** Counts writes: the store ignores a document with an older position. */
  private writes = 0;

  constructor(private readonly store: DocumentStore) {}

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

  get matchedPosition(): Position {
    return this.position;
  }

  all(): IterableIterator<PendingDelivery> {
    return this.entries.values();
  }

  /** `from` is the position before which nothing matched. */
  schedule(muse: string, hook: LiveHook, { from, upto, now }: { from: Position; upto: Position; now: number }): void {
    const { webhook, since } = hook;
    const entry = this.entries.get(deliveryKey({ muse, webhook }));
    if (entry) return this.put({ ...entry, upto });
    const after = endOfPosition(from > since ? from : since);
    this.put({ muse, webhook, after, upto, since, ...NO_FAILURES, due: now, anew: from === LOG_START });
  }

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

  /** Ignores the result of an attempt from before a replay, and returns null. */
  update(before: PendingDelivery, changed: Partial<PendingDelivery>): PendingDelivery | null {
    const current = this.entries.get(deliveryKey(before));
    if (!current || current.since !== before.since) return null;
    const next = { ...current, ...changed };
    this.put(next);
    return next;
  }

  /** The log is shorter than before, for example after a restore: match everything again. */
  async reset(lease: Lease): Promise<void> {
    for (const entry of [...this.entries.values()]) this.remove(entry);
    await this.write(LOG_START, lease);
  }

  remove(entry: Pick<PendingDelivery, 'muse' | 'webhook'>): void {
    const key = deliveryKey(entry);
    if (this.entries.delete(key)) this.changedEntries.set(key, null);
  }

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
