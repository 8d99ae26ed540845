import { createLruCache } from '#libs/kernel/lru-cache.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { POSITION_MAX, LOG_START } from '#libs/kernel/event.js';
import type { Position, Revision, StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';
import { checkAppend, checkLimit } from './append-rules.js';
import { AppendExecutor } from './eventstoredb.appends.js';
import { Client } from './eventstoredb.client.js';
import { commitOf, encode, positionOf } from './eventstoredb.records.js';
import { LogHead } from './eventstoredb.head.js';
import { retryRead } from './eventstoredb.retry-read.js';
import { LogScan } from './eventstoredb.scan.js';
import { LogTail } from './eventstoredb.tail.js';
import { WakeListeners } from './eventstoredb.wake-listeners.js';
import type { EventLog, ExpectedRevision, EventPage } from './event-log.port.js';

/** How long one call waits for the server's next answer. */
const CALL_TIMEOUT_MS = 4 * SECOND_MS;

const PLACES_MAX = 1_000;

export interface EventStoreDbOptions {
  readonly timeoutMs?: number;
}

/**
 * The log in EventStoreDB or KurrentDB, 23.10 and later. Positions are the server's commit positions: they rise with
 * every append, and an event is read by nobody before those in front of it are. A stream is a stream of the server,
 * an event's id its id there, the data its data, the rest of the envelope its metadata.
 */
export class EventStoreDbEventLog implements EventLog {
  readonly kind = 'eventstoredb';
  private readonly appends: AppendExecutor;
  private readonly newest: LogHead;
  private readonly wakes: WakeListeners;
  private readonly tail = new LogTail();
  /** What the log is known to have come to: where pages ended, for whoever goes on behind one. */
  private readonly places = createLruCache<Position, true>(PLACES_MAX);

  private constructor(
    private readonly client: Client,
    timeoutMs: number,
  ) {
    this.newest = new LogHead(client);
    this.appends = new AppendExecutor(client, this.tail);
    this.wakes = new WakeListeners(client, this.newest, this.tail, timeoutMs);
  }

  /**
   * `url`: `esdb://[user:password@]host:port[,host:port]?tls=false`; throws where it cannot be read. Connects with the
   * first call. `timeoutMs`: how long one call waits for an answer.
   */
  static open(url: string, { timeoutMs = CALL_TIMEOUT_MS }: EventStoreDbOptions = {}): EventStoreDbEventLog {
    return new EventStoreDbEventLog(new Client(url, timeoutMs), timeoutMs);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly SealedNewEvent[]): Promise<StoredEvent[]> {
    checkAppend(stream, events);
    return this.appends.run(stream, expected, encode(stream, events));
  }

  /** From what has come over the subscription, where that holds all there was at the moment. */
  async read(stream: string, from: Revision = 0, countMax?: number, asOf?: Position): Promise<StoredEvent[]> {
    const isKept = this.tail.stream(stream, from) !== null && (await this.reach(asOf));
    const kept = isKept ? this.tail.stream(stream, from) : null;
    return kept?.slice(0, countMax) ?? retryRead(() => this.appends.read(stream, from, countMax));
  }

  async readAll(after: Position, limit: number, types?: readonly string[]): Promise<EventPage> {
    checkLimit(limit);
    const page = await retryRead(() => new LogScan(this.client, after, limit, types).page());
    this.places.set(page.next, true);
    return page;
  }

  /** What has come over the subscription; read where nothing has for a while, and there is something. */
  async readNews(after: Position, limit: number, types?: readonly string[]): Promise<EventPage> {
    checkLimit(limit);
    const news = this.tail.page(after, limit, types);
    if (news && (news.next > after || this.tail.isFresh)) return news;
    if (news && (await this.reach())) {
      this.tail.markFresh();
      return this.tail.page(after, limit, types) ?? this.readAll(after, limit, types);
    }
    return this.readAll(after, limit, types);
  }

  async head(): Promise<Position> {
    const commit = await this.commit();
    return commit === null ? LOG_START : positionOf(commit);
  }

  async holds(position: Position): Promise<boolean> {
    if (position > POSITION_MAX) return false;
    const commit = commitOf(position);
    if (commit === null || this.places.has(position)) return true;
    const isHeld = await retryRead(() => this.newest.hasReached(commit));
    if (isHeld) this.places.set(position, true);
    return isHeld;
  }

  moment(): Promise<Position> {
    return this.head();
  }

  /** Waits for what stood in the log at a moment, or now, and for what was appended here; answers whether it has come. */
  private async reach(asOf?: Position): Promise<boolean> {
    const commit = asOf === undefined ? await this.commit() : commitOf(asOf);
    return (await this.tail.reach(commit)) && this.tail.reach(this.appends.newest);
  }

  private commit(): Promise<bigint | null> {
    return retryRead(() => this.newest.now());
  }

  wake(listener: () => void): () => void {
    return this.wakes.add(listener);
  }

  async close(): Promise<void> {
    this.wakes.close();
    await this.appends.close();
    await this.client.dispose();
  }
}
