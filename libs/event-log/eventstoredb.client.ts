import { setImmediate as turn } from 'node:timers/promises';
import {
  ANY,
  type AppendExpectedRevision,
  BACKWARDS,
  END,
  EventStoreDBClient,
  eventTypeFilter,
  FORWARDS,
  jsonEvent,
  type JSONType,
  NO_STREAM,
  type ResolvedEvent,
  START,
} from '@eventstore/db-client';
import type { Revision } from '#libs/kernel/event.js';
import { isStreamNotFound, UnsupportedServer, withTimeout } from './eventstoredb.errors.js';
import type { NewRecord, ServerRecord } from './eventstoredb.records.js';
import { metadataStreamOf } from './eventstoredb.metadata.js';
import { type Cancellable, endCall, iterateCall, patchAppends } from './eventstoredb.calls.js';
import type { ExpectedRevision } from './event-log.port.js';

/** Detects a dead connection sooner than the default of 10 s. The client warns about shorter intervals. */
const KEEP_ALIVE_TIMEOUT_MS = 3_000;
const DISPOSE_TIMEOUT_MS = 2_000;

type CommitPosition = bigint | 'start' | 'end';

export type SubscriptionItem =
  'confirmed' | 'caughtUp' | { readonly checkpoint: bigint } | { readonly event: ServerRecord };

export interface AppendResult {
  readonly last: Revision;
  readonly commit: bigint | null;
}

export interface Subscription {
  readonly items: AsyncIterable<SubscriptionItem>;
  stop(): void;
}

/**
 * The only file that imports `@eventstore/db-client`, so its successor (`@kurrent/kurrentdb-client`) can replace it
 * here. Throws the client's errors (see `eventstoredb.errors.ts`) and `CallTimeout`.
 */
export class Client {
  private client: EventStoreDBClient;

  /** `url`: `esdb://[user:password@]host:port?tls=false`. Throws if it is invalid. Connects on the first call. */
  constructor(
    private readonly url: string,
    readonly timeoutMs: number,
  ) {
    this.client = connect(url);
  }

  async append(stream: string, expected: ExpectedRevision, records: readonly NewRecord[]): Promise<AppendResult> {
    const { client } = this;
    const events = records.map(({ id, type, data, metadata }) =>
      jsonEvent({ id, type, data: data as JSONType, metadata }),
    );
    const result = client.appendToStream(stream, events, { expectedRevision: expectedRevision(expected) });
    try {
      const { nextExpectedRevision, position } = await withTimeout(this.timeoutMs, result);
      return { last: Number(nextExpectedRevision), commit: position?.commit ?? null };
    } catch (error) {
      await this.replaceIfStuck(client);
      throw error;
    }
  }

  /** Null if the stream does not exist: it was never written, or deleted so that it can be written again. */
  async readStream(stream: string, from: Revision, countMax?: number): Promise<ServerRecord[] | null> {
    // Decisions need the leader: a former leader may be stale.
    const options = { fromRevision: BigInt(from), ...(countMax && { maxCount: countMax }), requiresLeader: true };
    try {
      return await this.collectRecords(this.client.readStream(stream, options));
    } catch (error) {
      if (isStreamNotFound(error)) return null;
      throw error;
    }
  }

  /** Whether a stream that does not exist was deleted: the server notes it in the stream's metadata. */
  async wasDeleted(stream: string): Promise<boolean> {
    const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const;
    const call = this.client.readStream(metadataStreamOf(stream), options);
    const [record] = await this.collectRecords(call).catch((error: unknown) => {
      if (isStreamNotFound(error)) return [];
      throw error;
    });
    return Number((record?.data as { readonly $tb?: unknown } | undefined)?.$tb) > 0;
  }

  readForwards(from: CommitPosition, maxCount: number, requiresLeader = false): Promise<ServerRecord[]> {
    const fromPosition = toClientPosition(from);
    return this.collectRecords(this.client.readAll({ direction: FORWARDS, fromPosition, maxCount, requiresLeader }));
  }

  async readAt(commit: bigint): Promise<ServerRecord | undefined> {
    return (await this.readForwards(commit, 1, true))[0];
  }

  /** Reads from the leader: on a stale node the log would end before known events. */
  readBackwards(from: CommitPosition, maxCount: number): Promise<ServerRecord[]> {
    const fromPosition = toClientPosition(from);
    const options = { direction: BACKWARDS, fromPosition, maxCount, requiresLeader: true } as const;
    return this.collectRecords(this.client.readAll(options));
  }

  /**
   * Yields events after `from` whose type matches, then live ones. Yields a checkpoint after every `windowRecords`
   * records. Throws `CallTimeout` after `waitMs` of silence, unless null.
   */
  subscribe(from: CommitPosition, typeRegex: string, windowRecords: number, waitMs: number | null): Subscription {
    const filter = eventTypeFilter({
      regex: typeRegex,
      maxSearchWindow: windowRecords,
      checkpointReached: async (_, { commit }) => put({ checkpoint: commit }),
    });
    const call = this.client.subscribeToAll({ fromPosition: toClientPosition(from), filter });
    // Pushed into the stream, so that their order among the events is kept.
    const put = (item: SubscriptionItem) => void call.push(item);
    call.on('confirmation', () => put('confirmed'));
    (call as NodeJS.EventEmitter).on('caughtUp', () => put('caughtUp'));
    return { items: iterateSubscription(call, waitMs), stop: () => endCall(call) };
  }

  async dispose(): Promise<void> {
    await withTimeout(DISPOSE_TIMEOUT_MS, this.client.dispose()).catch(() => undefined);
  }

  private async collectRecords(call: Cancellable<ResolvedEvent>): Promise<ServerRecord[]> {
    const records: ServerRecord[] = [];
    for await (const { event } of iterateCall(call, this.timeoutMs)) if (event) records.push(toServerRecord(event));
    return records;
  }

  /**
   * The client caches the server's capabilities once, including a failed request, after which every append fails. Such
   * a client has no pending append.
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
  const hasTimeout = /[?&]keepAliveTimeout=/i.test(url);
  const address = hasTimeout ? url : `${url}${separator}keepAliveTimeout=${KEEP_ALIVE_TIMEOUT_MS}`;
  try {
    return patchAppends(EventStoreDBClient.connectionString(address));
  } catch {
    // The client's message quotes the address, which may contain a password.
    throw new Error('The address of EventStoreDB is invalid. Use the form esdb://host:2113?tls=false.');
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
  if (!position)
    throw new UnsupportedServer('The server sends events without a position. Use EventStoreDB 23.10 or later.');
  return { id, stream: streamId, type, revision: Number(revision), commit: position.commit, data, metadata };
}

function expectedRevision(expected: ExpectedRevision): AppendExpectedRevision {
  if (expected === 'none') return NO_STREAM;
  return expected === 'any' ? ANY : BigInt(expected);
}

function toClientPosition(position: CommitPosition) {
  if (position === 'start') return START;
  return position === 'end' ? END : { commit: position, prepare: position };
}
