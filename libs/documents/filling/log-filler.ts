import { setImmediate as turn } from 'node:timers/promises';
import type { Journal } from '#libs/event-log/journal.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import type { Builds, FillThread, RenewLease, NewBuild } from '../builds.port.js';
import { ProgressMeter, type OnProgress } from './fill-progress.js';
import { BuildFill, type WriteTask } from './build-fill.js';
import { ProjectionError } from '../fold.js';
import { type LogPage, readLogPage } from '../log-page.js';

/** How many events are read and folded at once. */
const PAGE_EVENTS = 1_000;
/** How many events are folded at most before what has changed is written: what a kill costs. */
const WRITE_EVENTS = 50_000;
/** How many documents are held in memory, of all builds together. */
const DOCUMENTS_HELD_MAX = 20_000;

export interface LogFillerParts {
  readonly journal: Journal;
  readonly builds: Builds;
  /** Whether others write to the same store, who are let in between. */
  readonly isGentle: boolean;
  /** Is told of an event that a projection cannot take; its build is left where it was before that page. */
  readonly onPoison: (build: NewBuild, poison: ProjectionError) => Promise<void>;
  /** Is told of everything that was read. */
  readonly onPage?: (page: LogPage) => void;
  readonly writeEvents?: number | undefined;
  /** How many documents are held in memory, of all builds together. */
  readonly heldMax?: number;
}

/**
 * Fills several builds from one read of the log, in bounded memory: while one part is written, on a thread of its own
 * where the store has one and there is much, the next is folded.
 */
export class LogFiller {
  private readonly filling: BuildFill[] = [];
  private folded = 0;
  /** What is being written; one that fails is told of by whoever waits for it. */
  private writing: Promise<void> = Promise.resolve();
  private thread: FillThread | undefined;

  constructor(private readonly parts: LogFillerParts) {}

  /** The build is filled from where it is. Before the first `to`. */
  async add(build: NewBuild, keep: RenewLease): Promise<BuildFill> {
    const position = await this.parts.builds.reached(build);
    const isEmpty = position === LOG_START && (await build.collection.scan(1)).length === 0;
    const parts = { write: (handed: WriteTask) => this.write([handed]), isGentle: this.parts.isGentle, keep };
    const fill = new BuildFill(build, position, parts, isEmpty);
    this.filling.push(fill);
    return fill;
  }

  /** Folds the log up to a position for each build, and writes it; answers how many events were read. */
  async fillTo(until: (build: NewBuild) => Position, onProgress?: OnProgress): Promise<number> {
    try {
      return await this.foldTo(until, onProgress);
    } finally {
      await this.writing.catch(() => undefined);
      await this.thread?.end();
      this.thread = undefined;
    }
  }

  private async foldTo(
    until: (build: NewBuild) => Position,
    onProgress: OnProgress = () => undefined,
  ): Promise<number> {
    const ends = new Map(this.filling.map(each => [each, until(each.build)]));
    const isBehind = (each: BuildFill) => each.position < ends.get(each)!;
    const positions = this.filling.filter(isBehind).map(({ position }) => position);
    const meter = new ProgressMeter(
      positions.sort()[0] ?? LOG_START,
      [...ends.values()].sort().at(-1) ?? LOG_START,
      onProgress,
    );
    let events = 0;
    for (let behind = this.filling.filter(isBehind); behind.length > 0; behind = this.filling.filter(isBehind)) {
      const after = behind.map(({ position }) => position).sort()[0]!;
      const page = await readLogPage(this.parts.journal, after, PAGE_EVENTS);
      if (page.next === after) throw new Error(`The log ends at ${after}, before documents that were made of it.`);
      this.parts.onPage?.(page);
      for (const each of behind) await this.take(each, page, ends.get(each)!);
      this.folded += page.stored.length;
      events += page.stored.length;
      meter.count(page.stored.length, page.next);
      await this.writeNowAndThen();
      await turn();
    }
    await this.write([]);
    await this.write(this.filling.map(each => each.createWriteTask()));
    return events;
  }

  private async take(each: BuildFill, ...page: Parameters<BuildFill['take']>): Promise<void> {
    try {
      await each.take(...page);
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      this.filling.splice(this.filling.indexOf(each), 1);
      await this.write([]);
      await this.write([each.createWriteTask()]);
      await this.parts.onPoison(each.build, error);
    }
  }

  private async writeNowAndThen(): Promise<void> {
    const isFull = this.filling.reduce((sum, { held }) => sum + held, 0) > (this.parts.heldMax ?? DOCUMENTS_HELD_MAX);
    if (!isFull && this.folded < (this.parts.writeEvents ?? WRITE_EVENTS)) return;
    this.folded = 0;
    await this.write([]);
    if (isFull) this.thread ??= this.parts.builds.fillThread?.();
    void this.write(this.filling.map(each => each.createWriteTask()));
    if (isFull) for (const each of this.filling) each.forget();
  }

  /** Answers once all of it is written, behind what was handed out before. Throws what has kept that from being written. */
  private write(handed: readonly WriteTask[]): Promise<void> {
    const { thread } = this;
    this.writing = this.writing.then(async () => {
      // The thread is not to wait for this one between two of them.
      if (thread) await Promise.all(handed.map(each => each(thread)));
      else for (const each of handed) await each(this.parts.builds);
    });
    this.writing.catch(() => undefined);
    return this.writing;
  }
}
