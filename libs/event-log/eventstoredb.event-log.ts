import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { START } from '#libs/kernel/event.js';
import type { Position, Revision, StoredEvent, StoredNewEvent } from '#libs/kernel/event.js';
import { checkAppend, checkLimit } from './append-rules.js';
import { Appends } from './eventstoredb.appends.js';
import { Client } from './eventstoredb.client.js';
import { asPortError, isOutage, Unanswered } from './eventstoredb.errors.js';
import { encode, positionOf } from './eventstoredb.events.js';
import { Head } from './eventstoredb.head.js';
import { Scan } from './eventstoredb.scan.js';
import { Wakes } from './eventstoredb.wakes.js';
import type { EventLog, Expected, Page } from './port.js';

/** How long one call waits for the server's next answer. */
const CALL_TIMEOUT_MS = 4 * SECOND_MS;
const READ_RETRY_MS = 100;

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
  private readonly appends: Appends;
  private readonly newest: Head;
  private readonly wakes: Wakes;

  private constructor(
    private readonly client: Client,
    timeoutMs: number,
  ) {
    this.appends = new Appends(client);
    this.newest = new Head(client);
    this.wakes = new Wakes(client, timeoutMs);
  }

  /**
   * `url`: `esdb://[user:password@]host:port[,host:port]?tls=false`; throws where it cannot be read. Connects with the
   * first call. `timeoutMs`: how long one call waits for an answer.
   */
  static open(url: string, { timeoutMs = CALL_TIMEOUT_MS }: EventStoreDbOptions = {}): EventStoreDbEventLog {
    return new EventStoreDbEventLog(new Client(url, timeoutMs), timeoutMs);
  }

  async append(stream: string, expected: Expected, events: readonly StoredNewEvent[]): Promise<StoredEvent[]> {
    checkAppend(stream, events);
    return this.appends.run(stream, expected, encode(stream, events));
  }

  read(stream: string, from: Revision = 0, countMax?: number): Promise<StoredEvent[]> {
    return repeated(() => this.appends.read(stream, from, countMax));
  }

  async readAll(after: Position, limit: number, types?: readonly string[]): Promise<Page> {
    checkLimit(limit);
    return repeated(() => new Scan(this.client, after, limit, types).page());
  }

  async head(): Promise<Position> {
    const commit = await repeated(() => this.newest.find());
    return commit === null ? START : positionOf(commit);
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

/** A read whose connection broke is repeated once: the client has another by then, where there is a server. */
async function repeated<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isOutage(error) || error instanceof Unanswered) throw asPortError(error);
  }
  await pause(READ_RETRY_MS);
  return read().catch((error: unknown) => {
    throw asPortError(error);
  });
}
