import { setImmediate as turn } from 'node:timers/promises';
import { ANY, BACKWARDS, END, EventStoreDBClient, FORWARDS, NO_STREAM, START } from '@eventstore/db-client';
import { eventTypeFilter, jsonEvent } from '@eventstore/db-client';
import type { AppendExpectedRevision, JSONType, ResolvedEvent } from '@eventstore/db-client';
import type { Revision } from '#libs/kernel/event.js';
import { isStreamNotFound, UnsupportedServer, withTimeout } from './eventstoredb.errors.js';
import type { NewRecord, ServerRecord } from './eventstoredb.records.js';
import { type Cancellable, endCall, iterateCall, patchAppends } from './eventstoredb.calls.js';
import type { ExpectedRevision } from './event-log.port.js';

/** The client's own 10 s would let a dead connection stand for 20 s; a shorter interval it warns about. */
const KEEP_ALIVE_TIMEOUT_MS = 3_000;
const DISPOSE_TIMEOUT_MS = 2_000;

/** Where in the whole log: behind or before a commit position, or at one of its ends. */
export type LogPlace = bigint | 'start' | 'end';

/** What a subscription hands out, in this order: it stands, events, how far it has looked, it has reached the end. */
export type SubscriptionItem =
  'confirmed' | 'caughtUp' | { readonly checkpoint: bigint } | { readonly event: ServerRecord };

/** Of the last event of an append: its revision, and its commit position where the server has said it. */
export interface AppendResult {
  readonly last: Revision;
  readonly commit: bigint | null;
}

export interface Subscription {
  readonly items: AsyncIterable<SubscriptionItem>;
  stop(): void;
}

/**
 * The one file that knows `@eventstore/db-client`; its successor (`@kurrent/kurrentdb-client`) replaces it here.
 * Throws that client's errors (see `eventstoredb.errors.ts`) and `Unanswered`.
 */
export class Client {
  private client: EventStoreDBClient;

  /** `url`: `esdb://[user:password@]host:port?tls=false`. Throws where it cannot be read. Connects with the first call. */
  constructor(
    private readonly url: string,
    readonly timeoutMs: number,
  ) {
    this.client = connect(url);
  }

  /** Writes the events, all or none; answers where the last one stands. */
  async append(stream: string, expected: ExpectedRevision, records: readonly NewRecord[]): Promise<AppendResult> {
    const { client } = this;
    const events = records.map(({ id, type, data, metadata }) =>
      jsonEvent({ id, type, data: data as JSONType, metadata }),
    );
    // Credentials stand in the URL: given with a call they make it a slower one.
    const written = client.appendToStream(stream, events, { expectedRevision: expectedRevision(expected) });
    try {
      const { nextExpectedRevision, position } = await withTimeout(this.timeoutMs, written);
      return { last: Number(nextExpectedRevision), commit: position?.commit ?? null };
    } catch (error) {
      await this.replaceIfStuck(client);
      throw error;
    }
  }

  /** The stream's events from a revision on; none where there is no such stream. */
  async readStream(stream: string, from: Revision, countMax?: number): Promise<ServerRecord[]> {
    // A node that was the leader until a moment ago may be behind: what is decided on is read from the leader.
    const options = { fromRevision: BigInt(from), ...(countMax && { maxCount: countMax }), requiresLeader: true };
    try {
      return await this.all(this.client.readStream(stream, options));
    } catch (error) {
      if (isStreamNotFound(error)) return [];
      throw error;
    }
  }

  /** The next records of the whole log, the server's own too. Forwards, the one at `from` itself is the first. */
  readForwards(from: LogPlace, countMax: number): Promise<ServerRecord[]> {
    return this.all(
      this.client.readAll({ direction: FORWARDS, fromPosition: toClientPosition(from), maxCount: countMax }),
    );
  }

  /** The record at a place, of the leader, else the next one behind it. */
  async readAt(commit: bigint): Promise<ServerRecord | undefined> {
    const options = {
      direction: FORWARDS,
      fromPosition: toClientPosition(commit),
      maxCount: 1,
      requiresLeader: true,
    } as const;
    const [record] = await this.all(this.client.readAll(options));
    return record;
  }

  /** The same from `from` back, of the leader: by a node that is behind, the log would end before what was made of it. */
  readBackwards(from: LogPlace, countMax: number): Promise<ServerRecord[]> {
    const fromPosition = toClientPosition(from);
    const options = { direction: BACKWARDS, fromPosition, maxCount: countMax, requiresLeader: true } as const;
    return this.all(this.client.readAll(options));
  }

  /**
   * Events behind `from` whose type matches, then those to come. A checkpoint follows every `windowRecords` looked at.
   * `waitMs`: how long it may be silent, where it may not be for ever.
   */
  subscribe(from: LogPlace, typeRegex: string, windowRecords: number, waitMs: number | null): Subscription {
    const filter = eventTypeFilter({
      regex: typeRegex,
      maxSearchWindow: windowRecords,
      checkpointReached: async (_, { commit }) => put({ checkpoint: commit }),
    });
    const call = this.client.subscribeToAll({ fromPosition: toClientPosition(from), filter });
    // They come before the events in front of them were taken: put among the events, they keep their place.
    const put = (item: SubscriptionItem) => void call.push(item);
    call.on('confirmation', () => put('confirmed'));
    (call as NodeJS.EventEmitter).on('caughtUp', () => put('caughtUp'));
    return { items: iterateSubscription(call, waitMs), stop: () => endCall(call) };
  }

  /** Ends every call. Never hangs. */
  async dispose(): Promise<void> {
    await withTimeout(DISPOSE_TIMEOUT_MS, this.client.dispose()).catch(() => undefined);
  }

  private async all(call: Cancellable<ResolvedEvent>): Promise<ServerRecord[]> {
    const records: ServerRecord[] = [];
    for await (const { event } of iterateCall(call, this.timeoutMs)) if (event) records.push(toServerRecord(event));
    return records;
  }

  /**
   * The client asks once what the server can do and keeps the answer, a failure too where it does not take it for an
   * outage; every append would fail with it for ever. Such a client has no append under way.
   */
  private async replaceIfStuck(failed: EventStoreDBClient): Promise<void> {
    const { capabilities } = failed as unknown as { readonly capabilities: Promise<unknown> };
    const hasFailed = capabilities.then(
      () => false,
      () => true,
    );
    const isStuck = await Promise.race([hasFailed, turn(false)]);
    if (!isStuck || this.client !== failed) return;
    this.client = connect(this.url);
    void failed.dispose();
  }
}

function connect(url: string): EventStoreDBClient {
  const separator = url.includes('?') ? '&' : '?';
  const isSet = /[?&]keepAliveTimeout=/i.test(url);
  const whole = isSet ? url : `${url}${separator}keepAliveTimeout=${KEEP_ALIVE_TIMEOUT_MS}`;
  try {
    return patchAppends(EventStoreDBClient.connectionString(whole));
  } catch {
    // What it says quotes the address, which may hold a password.
    throw new Error('The address of EventStoreDB cannot be read: it must be esdb://host:2113?tls=false.');
  }
}

async function* iterateSubscription(
  call: Cancellable<SubscriptionItem | ResolvedEvent>,
  waitMs: number | null,
): AsyncIterable<SubscriptionItem> {
  for await (const item of iterateCall(call, waitMs)) {
    if (typeof item === 'string' || 'checkpoint' in item) yield item;
    else if (item.event) yield { event: toServerRecord(item.event as NonNullable<ResolvedEvent['event']>) };
  }
}

function toServerRecord(event: NonNullable<ResolvedEvent['event']>): ServerRecord {
  const { id, streamId, type, revision, position, data, metadata } = event;
  if (!position) throw new UnsupportedServer('The server is older than 23.10: its events come without a position.');
  return { id, stream: streamId, type, revision: Number(revision), commit: position.commit, data, metadata };
}

function expectedRevision(expected: ExpectedRevision): AppendExpectedRevision {
  if (expected === 'none') return NO_STREAM;
  return expected === 'any' ? ANY : BigInt(expected);
}

function toClientPosition(place: LogPlace) {
  if (place === 'start') return START;
  return place === 'end' ? END : { commit: place, prepare: place };
}
