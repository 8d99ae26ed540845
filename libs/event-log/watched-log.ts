import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Position, Revision, SealedNewEvent, StoredEvent } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { EventLog, EventPage, ExpectedRevision } from './event-log.port.js';

/** Between the two answers that count as a contradiction: a new leader may still be behind at the first one. */
const CONFIRM_MS = 1 * SECOND_MS;
const RETRY_MS = 1 * SECOND_MS;

export type SeenEvent = Pick<StoredEvent, 'position' | 'id'>;

/** The log no longer has an event that this process has seen: an older copy of its data was put back. */
export class LogWentBack extends Unavailable {
  override readonly code = 'log_went_back';

  constructor({ position, id }: SeenEvent) {
    super('The event log', undefined, `went back: it no longer has the event ${id} at position ${position}`);
  }
}

/**
 * Remembers the last event that this process has seen, and looks for it after a failed call, after a lost connection,
 * and if the log ends before it. Calls wait for the result. After a contradiction all of them fail.
 */
export class WatchedLog implements EventLog {
  private lastSeen: SeenEvent | null = null;
  private isSuspect = false;
  private isClosed = false;
  private checking: Promise<void> | null = null;
  private contradiction: LogWentBack | null = null;
  private report: (error: LogWentBack) => void = () => undefined;
  /** Resolves once the log went back. */
  readonly wentBack = new Promise<LogWentBack>(resolve => (this.report = resolve));

  constructor(private readonly log: EventLog) {
    log.onLostConnection?.(() => {
      this.suspect();
      return this.settle();
    });
  }

  get kind(): string {
    return this.log.kind;
  }

  get seen(): SeenEvent | null {
    const delivered = this.log.lastDelivered?.();
    if (delivered) this.note(delivered);
    return this.lastSeen;
  }

  /** Call it at the start, so that a process knows the end of the log before it reads an event. */
  async seeEnd(): Promise<void> {
    const position = await this.head();
    const id = await this.idAt(position);
    if (id !== null) this.note({ position, id });
  }

  lastDelivered(): StoredEvent | undefined {
    return this.log.lastDelivered?.();
  }

  append(stream: string, expected: ExpectedRevision, events: readonly SealedNewEvent[]): Promise<StoredEvent[]> {
    return this.observe(() => this.log.append(stream, expected, events));
  }

  read(stream: string, from?: Revision, countMax?: number, asOf?: Position): Promise<StoredEvent[]> {
    return this.observe(() => this.log.read(stream, from, countMax, asOf));
  }

  readAll(after: Position, limit: number, types?: readonly string[]): Promise<EventPage> {
    return this.observePage(() => this.log.readAll(after, limit, types));
  }

  readNews(after: Position, limit: number, types?: readonly string[]): Promise<EventPage> {
    return this.observePage(() => this.log.readNews(after, limit, types));
  }

  head(): Promise<Position> {
    return this.end(() => this.log.head());
  }

  /** A server's moment is its head. Embedded logs have none. */
  moment(): Promise<Position> {
    return this.kind === 'eventstoredb' ? this.end(() => this.log.moment()) : this.guard(() => this.log.moment());
  }

  stepBack(from: Position, count: number): Promise<Position> {
    return this.guard(() => this.log.stepBack(from, count));
  }

  holds(position: Position): Promise<boolean> {
    return this.guard(() => this.log.holds(position));
  }

  idAt(position: Position): Promise<string | null> {
    return this.guard(() => this.log.idAt(position));
  }

  wake(listener: () => void): () => void {
    return this.log.wake(listener);
  }

  check(bytesMax?: number): void {
    this.log.check?.(bytesMax);
  }

  close(): Promise<void> {
    this.isClosed = true;
    return this.log.close();
  }

  private async end(work: () => Promise<Position>): Promise<Position> {
    const before = this.seen;
    const head = await this.guard(work);
    if (before === null || head >= before.position) return head;
    this.suspect();
    await this.settle();
    return this.guard(work);
  }

  private async observe(work: () => Promise<StoredEvent[]>): Promise<StoredEvent[]> {
    const events = await this.guard(work);
    const last = events.at(-1);
    if (last) this.note(last);
    return events;
  }

  private async observePage(work: () => Promise<EventPage>): Promise<EventPage> {
    const page = await this.guard(work);
    const last = page.events.at(-1);
    if (last) this.note(last);
    return page;
  }

  /** An answer that arrives while the log is suspect may come from another log. */
  private note({ position, id }: SeenEvent): void {
    if (this.isSuspect || (this.lastSeen !== null && position <= this.lastSeen.position)) return;
    this.lastSeen = { position, id };
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    await this.settle();
    try {
      return await work();
    } catch (error) {
      if (error instanceof Unavailable) this.suspect();
      throw error;
    }
  }

  private suspect(): void {
    if (this.isSuspect || this.isClosed || this.seen === null) return;
    this.isSuspect = true;
    void this.settleEventually();
  }

  private async settleEventually(): Promise<void> {
    while (this.isSuspect && !this.isClosed) {
      try {
        await this.settle();
      } catch {
        if (this.contradiction) return;
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  /** Throws `Unavailable` if the log cannot tell, and `LogWentBack` after a contradiction. */
  private async settle(): Promise<void> {
    if (this.contradiction) throw this.contradiction;
    if (!this.isSuspect) return;
    this.checking ??= this.compare().finally(() => (this.checking = null));
    await this.checking;
  }

  private async compare(): Promise<void> {
    const seen = this.lastSeen!;
    if (!(await isContradicted(this.log, seen))) return void (this.isSuspect = false);
    this.contradiction = new LogWentBack(seen);
    this.report(this.contradiction);
    throw this.contradiction;
  }
}

/** Whether the log says twice, a second apart, that the event is not at its position. */
export async function isContradicted(log: Pick<EventLog, 'idAt'>, { position, id }: SeenEvent): Promise<boolean> {
  if ((await log.idAt(position)) === id) return false;
  await pause(CONFIRM_MS);
  return (await log.idAt(position)) !== id;
}
