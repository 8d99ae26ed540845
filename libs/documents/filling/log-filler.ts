import { setImmediate as turn } from 'node:timers/promises';
import type { Journal, JournalPage } from '#libs/event-log/journal.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import type { Builds, FillThread, RenewLease, NewBuild } from '#libs/documents/builds.port.js';
import { ProgressMeter, type OnProgress } from './fill-progress.js';
import { BuildFill, type WriteTask } from './build-fill.js';
import { ProjectionError } from '#libs/documents/fold.js';
import { LogPages } from '#libs/documents/forgotten.js';

const PAGE_EVENTS = 1_000;
const WRITE_EVENTS = 50_000;
const DOCUMENTS_HELD_MAX = 20_000;

interface LogFillerParts {
  readonly journal: Journal;
  readonly builds: Builds;
  readonly isGentle: boolean;
  /** Called when folding an event fails. The build keeps the position before the page of that event. */
  readonly onProjectionError: (build: NewBuild, error: ProjectionError) => Promise<void>;
  readonly onPage?: (page: JournalPage) => Promise<void>;
  readonly writeEvents?: number | undefined;
  readonly heldMax?: number;
}

/**
 * Fills several builds from one read of the log in bounded memory. Writing runs beside folding, on another thread if
 * memory is full and the store offers one.
 */
export class LogFiller {
  private readonly filling: BuildFill[] = [];
  private folded = 0;
  private writing: Promise<void> = Promise.resolve();
  private thread: FillThread | undefined;
  private readonly pages: LogPages;

  constructor(private readonly parts: LogFillerParts) {
    this.pages = new LogPages(parts.journal);
  }

  async add(build: NewBuild, keep: RenewLease): Promise<BuildFill> {
    const position = await this.parts.builds.reached(build);
    const isEmpty = position === LOG_START && (await build.collection.scan(1)).length === 0;
    const parts = { write: (task: WriteTask) => this.write([task]), isGentle: this.parts.isGentle, keep };
    const fill = new BuildFill(build, position, parts, isEmpty);
    this.filling.push(fill);
    return fill;
  }

  /** Folds and writes the log up to a position for each build. Returns the number of events read. */
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
      const page = await this.pages.after(after, PAGE_EVENTS);
      if (page.next === after) throw new Error(`The log ends at ${after}, but documents contain later events.`);
      await this.parts.onPage?.(page);
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

  private async take(fill: BuildFill, ...page: Parameters<BuildFill['take']>): Promise<void> {
    try {
      await fill.take(...page);
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      this.filling.splice(this.filling.indexOf(fill), 1);
      await this.write([]);
      await this.write([fill.createWriteTask()]);
      await this.parts.onProjectionError(fill.build, error);
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

  private write(tasks: readonly WriteTask[]): Promise<void> {
    const { thread } = this;
    this.writing = this.writing.then(async () => {
      if (thread) await Promise.all(tasks.map(task => task(thread)));
      else for (const task of tasks) await task(this.parts.builds);
    });
    this.writing.catch(() => undefined);
    return this.writing;
  }
}
