import { createLruCache } from '#libs/kernel/lru-cache.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import {
  LOG_START,
  type Position,
  POSITION_MAX,
  type Revision,
  type SealedNewEvent,
  type StoredEvent,
} from '#libs/kernel/event.js';
import {
  checkAppend,
  checkLimit,
  type EventLog,
  type EventPage,
  type ExpectedRevision,
  type ForeignEventCount,
} from './event-log.port.js';
import { AppendExecutor } from './eventstoredb.appends.js';
import { Client } from './eventstoredb.client.js';
import { retryRead } from './eventstoredb.errors.js';
import { countForeignEvents } from './eventstoredb.foreign-events.js';
import { commitOf, encode, positionOf } from './eventstoredb.records.js';
import { LogHead } from './eventstoredb.head.js';
import { LogScan } from './eventstoredb.scan.js';
import { LogTail } from './eventstoredb.tail.js';
import { WakeListeners } from './eventstoredb.wake-listeners.js';

const CALL_TIMEOUT_MS = 4 * SECOND_MS;

const KNOWN_POSITIONS_MAX = 1_000;

export interface EventStoreDbOptions {
  readonly timeoutMs?: number;
}

/**
 * Event log in EventStoreDB or KurrentDB, 23.10 and later. Positions are commit positions. The server's stream, event
 * id and data are used as such; the rest of the envelope is the metadata.
 */
export class EventStoreDbEventLog implements EventLog {
  readonly kind = 'eventstoredb';
  private readonly appends: AppendExecutor;
  private readonly logHead: LogHead;
  private readonly wakes: WakeListeners;
  private readonly tail = new LogTail();
  private readonly lostListeners: (() => Promise<void>)[] = [];
  private readonly knownPositions = createLruCache<Position, true>(KNOWN_POSITIONS_MAX);

  private constructor(
    private readonly client: Client,
    timeoutMs: number,
  ) {
    const onLost = () => Promise.all(this.lostListeners.map(listen => listen()));
    this.logHead = new LogHead(client);
    this.appends = new AppendExecutor(client, this.tail, onLost);
    this.wakes = new WakeListeners(client, this.logHead, this.tail, timeoutMs, () => {
      // The listeners notice an outage themselves.
      onLost().catch(() => undefined);
    });
  }

  /**
   * `url`: `esdb://[user:password@]host:port[,host:port]?tls=false`. Throws if it is invalid. Connects on the first
   * call.
   */
  static open(url: string, { timeoutMs = CALL_TIMEOUT_MS }: EventStoreDbOptions = {}): EventStoreDbEventLog {
    return new EventStoreDbEventLog(new Client(url, timeoutMs), timeoutMs);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly SealedNewEvent[]): Promise<StoredEvent[]> {
    checkAppend(stream, events);
    return this.appends.run({ stream, expected, records: encode(stream, events) });
  }

  async read(stream: string, from: Revision = 0, countMax?: number, asOf?: Position): Promise<StoredEvent[]> {
    const isCached = this.tail.ofStream(stream, from) !== null && (await this.waitForTail(asOf));
    const cached = isCached ? this.tail.ofStream(stream, from) : null;
    return cached?.slice(0, countMax) ?? retryRead(() => this.appends.read(stream, from, countMax));
  }

  async readAll(after: Position, limit: number, types?: readonly string[]): Promise<EventPage> {
    checkLimit(limit);
    const page = await retryRead(() => new LogScan(this.client, after, limit, types).page());
    this.knownPositions.set(page.next, true);
    return page;
  }

  async readNews(after: Position, limit: number, types?: readonly string[]): Promise<EventPage> {
    checkLimit(limit);
    const page = this.tail.page(after, limit, types);
    if (page && (page.next > after || this.tail.isFresh)) return page;
    if (page && (await this.waitForTail())) {
      this.tail.markFresh();
      return this.tail.page(after, limit, types) ?? this.readAll(after, limit, types);
    }
    return this.readAll(after, limit, types);
  }

  async head(): Promise<Position> {
    const commit = await this.headCommit();
    return commit === null ? LOG_START : positionOf(commit);
  }

  async stepBack(from: Position, count: number): Promise<Position> {
    const commit = commitOf(from);
    const start = commit === null ? null : await retryRead(() => this.logHead.stepBack(commit, count));
    return start === null ? LOG_START : positionOf(start);
  }

  async holds(position: Position): Promise<boolean> {
    if (position > POSITION_MAX) return false;
    const commit = commitOf(position);
    if (commit === null || this.knownPositions.has(position)) return true;
    const isHeld = await retryRead(() => this.logHead.hasReached(commit));
    if (isHeld) this.knownPositions.set(position, true);
    return isHeld;
  }

  async idAt(position: Position): Promise<string | null> {
    const commit = commitOf(position);
    return commit === null ? null : retryRead(() => this.logHead.idAt(commit));
  }

  lastDelivered(): StoredEvent | undefined {
    return this.tail.last;
  }

  onLostConnection(listener: () => Promise<void>): void {
    this.lostListeners.push(listener);
  }

  moment(): Promise<Position> {
    return this.head();
  }

  private async waitForTail(asOf?: Position): Promise<boolean> {
    const commit = asOf === undefined ? await this.headCommit() : commitOf(asOf);
    return (await this.tail.reach(commit)) && this.tail.reach(this.appends.newest);
  }

  private headCommit(): Promise<bigint | null> {
    return retryRead(() => this.logHead.now());
  }

  wake(listener: () => void): () => void {
    return this.wakes.add(listener);
  }

  countForeignEvents(timeLimitMs: number): Promise<ForeignEventCount> {
    return retryRead(() => countForeignEvents(this.client, timeLimitMs));
  }

  async close(): Promise<void> {
    this.wakes.close();
    await this.appends.close();
    await this.client.dispose();
  }
}
