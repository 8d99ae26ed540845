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

/**
 * Number of events after a checkpoint, at most 1,000, or null if they cannot be counted, and when the first of them was
 * written (unix ms).
 */
interface Lag {
  readonly lag: number | null;
  readonly waiting_since: number | null;
}

const NO_LAG: Lag = { lag: 0, waiting_since: null };
const UNKNOWN_LAG: Lag = { lag: null, waiting_since: null };

/** Asks once for each position. A failed question counts as no. */
export function positionsIn(log: Pick<EventLog, 'holds'>): (position: Position) => Promise<boolean> {
  const answers = new Map<Position, Promise<boolean>>();
  return position => {
    const answer = answers.get(position) ?? log.holds(position).catch(() => false);
    answers.set(position, answer);
    return answer;
  };
}

/** Counts the events after one checkpoint. Remembers them, so that health reads most from memory. */
export class Backlog {
  private waiting: Pick<StoredEvent, 'position' | 'at'>[] = [];
  private from: Position | null = null;
  private upTo: Position = LOG_START;
  private counting: Promise<boolean> | null = null;
  private nextCountAt = -Infinity;

  constructor(
    private readonly log: Pick<EventLog, 'readNews' | 'holds'>,
    private readonly types?: readonly string[],
  ) {}

  /** `head`: null if the log does not answer. `isInLog`: for a checkpoint past the head, which the log may have lost. */
  async measure(checkpoint: Position, head: Position | null, isInLog = positionsIn(this.log)): Promise<Lag> {
    if (head === null) return UNKNOWN_LAG;
    if (checkpoint >= head) return checkpoint === head || (await isInLog(checkpoint)) ? NO_LAG : UNKNOWN_LAG;
    this.moveTo(checkpoint);
    const isUncounted = this.waiting.length === 0;
    const isDue = isUncounted || performance.now() >= this.nextCountAt;
    if (isDue && this.upTo < head && this.waiting.length < COUNTED_MAX)
      this.counting ??= this.count().finally(() => (this.counting = null));
    const late = pause(isUncounted ? FIRST_COUNT_MS : COUNT_MS, false, { ref: false });
    const isCounted = this.counting === null || (await Promise.race([this.counting, late]));
    if (!isCounted && this.waiting.length === 0) return UNKNOWN_LAG;
    return { lag: this.waiting.length, waiting_since: this.waiting[0]?.at ?? null };
  }

  private moveTo(checkpoint: Position): void {
    const isBack = this.from === null || checkpoint < this.from;
    this.from = checkpoint;
    this.waiting = isBack ? [] : this.waiting.filter(({ position }) => position > checkpoint);
    if (isBack || checkpoint > this.upTo) this.upTo = checkpoint;
  }

  /** Counts again if the checkpoint moved in between. Returns false after a failed read. */
  private async count(): Promise<boolean> {
    const { upTo } = this;
    const began = performance.now();
    const page = await this.log.readNews(upTo, COUNTED_MAX, this.types).catch(() => null);
    if (performance.now() - began > COUNT_MS) this.nextCountAt = performance.now() + SLOW_PAUSE_MS;
    if (page === null) return false;
    if (this.upTo !== upTo) return this.count();
    this.upTo = page.next;
    for (const { position, at } of page.events)
      if (position > this.from! && this.waiting.length < COUNTED_MAX) this.waiting.push({ position, at });
    return true;
  }
}

export type ProjectionHealth = {
  readonly name: string;
  readonly version: number;
  readonly position: Position;
  /** Number of events after the position, at most 1,000; null if they cannot be counted. */
  readonly lag: number | null;
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
  /** Number of events after the position, at most 1,000; null if they cannot be counted. */
  readonly lag: number | null;
  readonly state: 'running' | 'failing';
  readonly reason?: string;
};

export class ReactionHealthReader {
  private opened: Promise<unknown> | null = null;
  private backlogs: ReadonlyMap<string, Backlog> | undefined;

  constructor(
    private readonly store: Pick<DocumentStore, 'open' | 'checkpoints'>,
    private readonly log: Pick<EventLog, 'readNews' | 'holds'>,
    private readonly reactions: readonly Reaction[],
  ) {}

  async states(head: Position): Promise<ReactionHealth[]> {
    await this.open();
    const checkpoints = await this.store.checkpoints();
    const isInLog = positionsIn(this.log);
    const states = this.reactions.map(async reaction => {
      const { name } = createCheckpointProjection(reaction);
      const { position, stopped } = checkpoints.find(each => each.name === name)!;
      const { lag } = await this.backlogOf(reaction).measure(position, head, isInLog);
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
