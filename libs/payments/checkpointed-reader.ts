import type { EventLog, EventPage } from '#libs/event-log/event-log.port.js';
import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import { LOG_START, type Position, type StoredEvent } from '#libs/kernel/event.js';
import type { Coordination } from '#libs/platform/coordination/port.js';

const PAGE_SIZE = 1_000;
const CHECKPOINT_TTL_MS = 30 * DAY_MS;

export interface ReaderDependencies {
  readonly log: Pick<EventLog, 'readAll' | 'readNews' | 'head'>;
  readonly coordination: Coordination;
  readonly clock: Clock;
}

interface CheckpointedReading {
  /** Key of the checkpoint, which all processes share. */
  readonly key: string;
  readonly types: readonly string[];
  readonly apply: (event: StoredEvent, positionBefore: Position) => void;
  /** Entries still in memory: the next process has to read them again. */
  readonly listUnfinished: () => readonly { readonly positionBefore: Position }[];
}

/** Reads events of some types from the log itself, because a projection may stop, each once for each process. */
export class CheckpointedReader {
  private position: Position | null = null;
  private savedCheckpoint: Position | null = null;
  private catchingUp: Promise<void> | null = null;

  constructor(
    private readonly dependencies: ReaderDependencies,
    private readonly reading: CheckpointedReading,
  ) {}

  /** Reads up to the head of the log. Errors: `Unavailable`. */
  async catchUp(): Promise<void> {
    this.catchingUp ??= this.readToHead().finally(() => (this.catchingUp = null));
    await this.catchingUp;
  }

  private async readToHead(): Promise<void> {
    const head = await this.dependencies.log.head();
    this.position ??= await this.loadCheckpoint(head);
    while (this.position < head) {
      const { events, next } = await this.readPageAfter(this.position);
      for (const event of events) this.reading.apply(event, this.position);
      if (next === this.position) break;
      this.position = next;
    }
    await this.saveCheckpoint(this.position);
  }

  /** Reads the store only if the cached news end before the head. */
  private async readPageAfter(position: Position): Promise<EventPage> {
    const { log } = this.dependencies;
    const { types } = this.reading;
    const news = await log.readNews(position, PAGE_SIZE, types);
    return news.next > position ? news : log.readAll(position, PAGE_SIZE, types);
  }

  private async loadCheckpoint(head: Position): Promise<Position> {
    const { coordination, clock } = this.dependencies;
    const checkpoint = await coordination.get(this.reading.key, clock.now());
    return checkpoint !== undefined && checkpoint <= head ? checkpoint : LOG_START;
  }

  private async saveCheckpoint(position: Position): Promise<void> {
    const { coordination, clock } = this.dependencies;
    const { key, listUnfinished } = this.reading;
    const positions = listUnfinished().map(({ positionBefore }) => positionBefore);
    const checkpoint = positions.reduce((least, each) => (each < least ? each : least), position);
    if (checkpoint === this.savedCheckpoint) return;
    const now = clock.now();
    const expiresAt = now + CHECKPOINT_TTL_MS;
    const stored = await coordination.putIfAbsent(key, checkpoint, expiresAt, now);
    // Keeps a later checkpoint of another process, unless it is beyond the head and thus belongs to another log.
    const isLater = stored !== undefined && stored > checkpoint && stored <= position;
    if (stored !== undefined && !isLater) await coordination.compareAndSet(key, stored, checkpoint, expiresAt, now);
    this.savedCheckpoint = checkpoint;
  }
}
