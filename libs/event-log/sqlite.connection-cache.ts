import { setImmediate as turn } from 'node:timers/promises';
import { LOG_START, type Position, type Revision, type StoredEvent } from '#libs/kernel/event.js';
import { orIfUnavailable, type Sqlite, type Statement } from '#libs/platform/sqlite/sqlite.js';
import type { EventPage } from './event-log.port.js';
import { NewestEvents } from './newest-events.js';
import { positionOf } from './sqlite.rows.js';

const STREAMS_MAX = 50_000;
/** Followers read many times a second. V8 would move longer-lived events to the old generation. */
const EVENTS_MAX = 256;
const POLL_MS = 20;

export interface InsertedEvent {
  readonly event: StoredEvent;
  readonly characters: number;
}

/**
 * Ends of streams, so that checking one for new events needs no query, and the events that this connection appended,
 * so that followers need not read the file. A commit of another connection clears both and wakes the followers.
 */
export class ConnectionCache {
  /** Changes with every commit of another connection, not with own ones. */
  private readonly dataVersion: Statement<[number]>;
  private lastVersion: number | undefined;
  private readonly revisions = new Map<string, Revision>();
  private refreshing: Promise<void> | null = null;
  private newest: NewestEvents | null = null;
  private last: Position = LOG_START;
  private readonly listeners = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;

  constructor(connection: Sqlite) {
    this.dataVersion = connection.prepare<[number]>('PRAGMA data_version');
    this.lastVersion = this.dataVersion.one()?.[0];
  }

  async endsBefore(stream: string, from: Revision): Promise<boolean> {
    if (!this.knowsEndBefore(stream, from)) return false;
    await this.refresh();
    return this.knowsEndBefore(stream, from);
  }

  knowsEndBefore(stream: string, from: Revision): boolean {
    const last = this.revisions.get(stream);
    return last !== undefined && last < from;
  }

  /** Resolves once commits of other processes up to this call are considered, at most once per turn of the event loop. */
  refresh(): Promise<void> {
    return (this.refreshing ??= turn().then(() => {
      this.refreshing = null;
      this.noticeForeignCommits();
    }));
  }

  noteEnd(stream: string, revision: Revision): void {
    if (this.revisions.size >= STREAMS_MAX) this.revisions.clear();
    this.revisions.set(stream, revision);
  }

  forgetEnd(stream: string): void {
    this.revisions.delete(stream);
  }

  put(inserted: readonly InsertedEvent[]): void {
    for (const { event, characters } of inserted) {
      const before = positionOf(Number(event.position) - 1);
      if (!this.newest || before !== this.last) this.newest = new NewestEvents(before, EVENTS_MAX);
      this.newest.put(event, characters);
      this.last = event.position;
    }
  }

  page(after: Position, limit: number, types?: readonly string[]): EventPage | null {
    this.noticeForeignCommits();
    return this.newest?.page(this.last, after, limit, types) ?? null;
  }

  /** Polls for commits of other processes while there is a listener. */
  listen(listener: () => void): () => void {
    const subscription = () => listener();
    this.listeners.add(subscription);
    this.timer ??= setInterval(() => orIfUnavailable(() => this.noticeForeignCommits(), undefined), POLL_MS).unref();
    return () => {
      this.listeners.delete(subscription);
      if (this.listeners.size === 0) this.stopPolling();
    };
  }

  wake(): void {
    for (const listener of this.listeners) queueMicrotask(listener);
  }

  close(): void {
    this.listeners.clear();
    this.stopPolling();
  }

  private stopPolling(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private noticeForeignCommits(): void {
    const version = this.dataVersion.one()?.[0];
    if (version === this.lastVersion) return;
    this.lastVersion = version;
    this.revisions.clear();
    this.newest = null;
    this.wake();
  }
}
