import { setTimeout as pause } from 'node:timers/promises';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { LOG_START, type Position, type StoredEvent } from '#libs/kernel/event.js';
import type { DocumentStore } from './document-store.port.js';
import { createCheckpointProjection, type Reaction } from './reaction-runner.js';

const COUNTED_MAX = 1_000;
const FIRST_COUNT_MS = 500;
const COUNT_MS = 20;
const SLOW_PAUSE_MS = 10 * SECOND_MS;
const STALLED_MS = 30 * SECOND_MS;

/** Number of events after a checkpoint, at most 1,000, and when the first of them was written (unix ms). */
interface Lag {
  readonly lag: number;
  readonly waiting_since: number | null;
}

/** Counts the events after one checkpoint. Remembers them, so that health reads most from memory. */
export class Backlog {
  private waiting: Pick<StoredEvent, 'position' | 'at'>[] = [];
  private from: Position | null = null;
  private upTo: Position = LOG_START;
  private counting: Promise<void> | null = null;
  private nextCountAt = -Infinity;

  constructor(
    private readonly log: Pick<EventLog, 'readNews'>,
    private readonly types?: readonly string[],
  ) {}

  async measure(checkpoint: Position, head: Position): Promise<Lag> {
    if (checkpoint >= head) return { lag: 0, waiting_since: null };
    const isFirst = this.moveTo(checkpoint);
    const isDue = isFirst || performance.now() >= this.nextCountAt;
    if (isDue && this.upTo < head && this.waiting.length < COUNTED_MAX)
      this.counting ??= this.count().finally(() => (this.counting = null));
    const timeoutMs = isFirst ? FIRST_COUNT_MS : COUNT_MS;
    if (this.counting) await Promise.race([this.counting, pause(timeoutMs, undefined, { ref: false })]);
    return { lag: this.waiting.length, waiting_since: this.waiting[0]?.at ?? null };
  }

  /** Returns true for the first checkpoint and for one that moved back: nothing is counted yet. */
  private moveTo(checkpoint: Position): boolean {
    const isFirst = this.from === null || checkpoint < this.from;
    this.from = checkpoint;
    this.waiting = isFirst ? [] : this.waiting.filter(({ position }) => position > checkpoint);
    if (isFirst || checkpoint > this.upTo) this.upTo = checkpoint;
    return isFirst;
  }

  private async count(): Promise<void> {
    const { upTo } = this;
    const began = performance.now();
    const page = await this.log.readNews(upTo, COUNTED_MAX, this.types).catch(() => null);
    if (performance.now() - began > COUNT_MS) this.nextCountAt = performance.now() + SLOW_PAUSE_MS;
    if (page === null || this.upTo !== upTo) return;
    this.upTo = page.next;
    for (const { position, at } of page.events)
      if (position > this.from! && this.waiting.length < COUNTED_MAX) this.waiting.push({ position, at });
  }
}

export type ProjectionHealth = {
  readonly name: string;
  readonly version: number;
  readonly position: Position;
  /** Number of events after the position, at most 1,000. */
  readonly lag: number;
  /** When the first of them was written, unix ms; null for none. */
  readonly waiting_since: number | null;
  readonly state: 'running' | 'stopped';
  readonly reason?: string;
};

/** A projector that died cannot report that itself. */
export const isStalled = ({ state, waiting_since: since }: ReportedProjection, now: number): boolean =>
  state === 'running' && typeof since === 'number' && now - since > STALLED_MS;

interface ReportedProjection {
  readonly state: string;
  readonly waiting_since?: number | null;
}

export type ReactionHealth = {
  readonly name: string;
  readonly position: Position;
  /** Number of events after the position, at most 1,000. */
  readonly lag: number;
  readonly state: 'running' | 'failing';
  readonly reason?: string;
};

export class ReactionHealthReader {
  private opened: Promise<unknown> | null = null;
  private backlogs: ReadonlyMap<string, Backlog> | undefined;

  constructor(
    private readonly store: Pick<DocumentStore, 'open' | 'checkpoints'>,
    private readonly log: Pick<EventLog, 'readNews'>,
    private readonly reactions: readonly Reaction[],
  ) {}

  async states(head: Position): Promise<ReactionHealth[]> {
    await this.open();
    const checkpoints = await this.store.checkpoints();
    const states = this.reactions.map(async reaction => {
      const { name } = createCheckpointProjection(reaction);
      const { position, stopped } = checkpoints.find(each => each.name === name)!;
      const { lag } = await this.backlogOf(reaction).measure(position, head);
      const failing = stopped === null ? { state: 'running' as const } : { state: 'failing' as const, reason: stopped };
      return { name: reaction.name, position, lag, ...failing };
    });
    return Promise.all(states);
  }

  private backlogOf({ name }: Reaction): Backlog {
    this.backlogs ??= new Map(this.reactions.map(each => [each.name, new Backlog(this.log, each.types)]));
    return this.backlogs.get(name)!;
  }

  /** Opens the checkpoints here too, because another process may run the reactions. */
  private open(): Promise<unknown> {
    const openAll = () => Promise.all(this.reactions.map(each => this.store.open(createCheckpointProjection(each))));
    return (this.opened ??= openAll().catch((error: unknown) => {
      this.opened = null;
      throw error;
    }));
  }
}
