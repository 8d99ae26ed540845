import type { Journal } from '#libs/event-log/journal.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Event, Position } from '#libs/kernel/event.js';
import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import type { Projection } from '#libs/kernel/projection.js';
import { formatProjectionVersion } from './build-name.js';
import { BuildSweeper } from './build-sweeper.js';
import type { OnProgress } from './filling/fill-progress.js';
import { UnreadableEventReporter } from './unreadable-event-reporter.js';
import { StartupFiller } from './filling/startup-filler.js';
import { changesOf, selectEvents, foldChanges, ProjectionError, listChangedIds } from './fold.js';
import { LeaseKeeper } from './lease-keeper.js';
import { DocumentCache } from './document-cache.js';
import { eraseForgotten } from './erase-forgotten.js';
import { findForgottenEvent, type LogPage, readLogPage } from './log-page.js';
import type { ReadModels } from './read-models.js';
import type { ProjectionShare } from './projection-share.js';
import { type LeasedProjection, CatchUpScheduler } from './catch-up-scheduler.js';
import { type CommitBatch, type Collection, CommitConflict, type DocumentStore } from './document-store.port.js';

/** How many events are folded and committed at once. */
const BATCH_EVENTS = 500;
/** How long an idle projector waits at most before it looks at the log and its leases again. */
const IDLE_MS = 1 * SECOND_MS;
const RETRY_MS = 500;
/** How soon it looks again after somebody else has written: a rebuild holds it up for a moment only. */
const CONFLICT_RETRY_MS = 20;
/** How long it lets events come together that nobody waits for: a batch costs much the same whatever is in it. */
const GATHER_MS = 10;
/** The same while many come and who waits can hurry it: so many of the last batch say that they do. */
const GATHER_MANY_MS = 100;
const MANY_EVENTS = 8;
/** How many documents are kept in memory from one batch to the next. */
const DOCUMENTS_KEPT_MAX = 20_000;

export interface ProjectorParts {
  readonly journal: Journal;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly projections: readonly Projection[];
  /** Is told how far the documents are, and which projection stopped. */
  readonly models: Pick<ReadModels, 'moved' | 'stop' | 'onWait'>;
  readonly log: { error(details: object, message: string): void };
  /** Whether everybody who waits for the documents tells it so (`models.onWait`), as in its own process. */
  readonly isHurried?: boolean;
  /** Who holds the leases: whoever runs under the same name goes on with them at once. By default this run alone. */
  readonly holder?: string;
  /** What of the projections is its own where several keep them; by default as much as nobody else does. */
  readonly share?: Pick<ProjectionShare, 'look' | 'wants' | 'leave'>;
}

/**
 * Folds the log into documents: one unfiltered read for all projections, each touched document written once a batch,
 * documents and checkpoints in one commit. One projector writes a build at a time, under the lease of its projection
 * and version; of several each has its share, and stands by for what others keep.
 */
export class Projector {
  private readonly all: readonly LeasedProjection[];
  private readonly leases: LeaseKeeper;
  private readonly poisoned = new Set<string>();
  private readonly collections = new Map<string, Collection>();
  /** By id. */
  private checkpoints = new Map<string, Position>();
  /** What the live builds hold, while nobody else may write to them. */
  private readonly kept = new DocumentCache(DOCUMENTS_KEPT_MAX);
  /** A failure may have left the store elsewhere than memory says. */
  private stale = true;
  /** Whether builds may have been switched since somebody was told of them. */
  private isAnew = true;
  private readonly turns = new CatchUpScheduler();
  private readonly sweep: BuildSweeper;
  private running: Promise<void> | null = null;
  private stopping = false;
  private readonly wakes: WakeSignal;
  private readonly faults: UnreadableEventReporter;
  private readonly failures: RetryFailureLog;

  constructor(private readonly parts: ProjectorParts) {
    const { journal, models, store, clock, projections, holder, share } = parts;
    this.all = projections.map(toLeasedProjection);
    this.leases = new LeaseKeeper(
      store,
      clock,
      projections.map(formatProjectionVersion),
      holder,
      share && (name => share.wants(name)),
    );
    this.wakes = new WakeSignal(journal.log);
    this.faults = new UnreadableEventReporter(parts.log);
    this.failures = new RetryFailureLog(parts.log);
    this.sweep = new BuildSweeper(parts);
    models.onWait(() => this.wakes.hurry());
  }

  /** Answers once every build is filled that nobody could read yet: `onProgress` is told how far they are. */
  async start(onProgress?: OnProgress): Promise<void> {
    for (const projection of this.parts.projections) {
      this.collections.set(projection.name, await this.parts.store.open(projection));
    }
    const first = new StartupFiller(this.parts, this.leases, {
      onPoison: (projection, poison) => this.stopProjection(toLeasedProjection(projection), poison),
      onPage: page => this.faults.report(page),
      onPastHead: (projections, head) => this.tellPastHead(projections.map(formatProjectionVersion), head),
    });
    const reached = await first.run(onProgress);
    if (reached !== null) this.parts.models.moved(reached, true);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakes.end();
    await this.running;
    await this.sweep.end();
    await this.parts.share?.leave();
    await this.leases.release();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.wakes.arm();
      try {
        const events = (await this.mayWrite()) ? await this.step() : 0;
        this.failures.recordSuccess();
        const idleMs = Math.min(IDLE_MS, this.leases.renewInMs);
        const gatherMs = this.parts.isHurried && events >= MANY_EVENTS ? GATHER_MANY_MS : GATHER_MS;
        if (events < BATCH_EVENTS) await this.wakes.sleep(events > 0 ? gatherMs : idleMs, gatherMs);
      } catch (error) {
        await this.recover(error);
      }
    }
  }

  /** One batch; answers of how many events, and of a whole batch where others go on at once. */
  private async step(): Promise<number> {
    if (this.alive.length === 0) return 0;
    const { from, projections, othersWait } = this.turns.next(this.alive, this.checkpoints, performance.now());
    const page = await readLogPage(this.parts.journal, from, BATCH_EVENTS, 'readNews');
    if (page.stored.length > 0) await this.take(page, projections);
    return othersWait ? BATCH_EVENTS : page.stored.length;
  }

  private async take(page: LogPage, projections: readonly LeasedProjection[]): Promise<void> {
    this.faults.report(page);
    const forgotten = findForgottenEvent(page);
    if (forgotten) for (const each of projections) await this.forget(each, forgotten);
    const batches = await Promise.all(projections.filter(this.isAlive).map(each => this.batch(each, page)));
    const good = batches.flatMap(batch => batch ?? []);
    if (good.length === 0) return;
    await this.parts.store.commit(
      good,
      ...good.map(({ projection }) => this.leases.of(formatProjectionVersion(projection))!),
    );
    if (forgotten) this.parts.store.purge?.();
    for (const { projection, documents, to } of good) {
      this.checkpoints.set(formatProjectionVersion(projection), to);
      this.kept.put(projection.name, documents);
    }
    this.tell(good, page.next);
  }

  private get alive(): readonly LeasedProjection[] {
    return this.all.filter(this.isAlive);
  }

  private readonly isAlive = ({ id }: LeasedProjection) => this.leases.of(id) !== undefined && !this.poisoned.has(id);

  /** Works off the documents that may hold what a muse wrote, in bounded steps; the checkpoint moves behind all of them. */
  private async forget(own: LeasedProjection, forgotten: Event): Promise<void> {
    const { id, projection } = own;
    const from = this.checkpoints.get(id)!;
    if (from >= forgotten.position) return;
    try {
      for await (const documents of eraseForgotten(projection, this.collections.get(projection.name)!, forgotten)) {
        await this.parts.store.commit([{ projection, documents, from, to: from }], this.leases.of(id)!);
        this.kept.put(projection.name, documents);
      }
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      await this.stopProjection(own, error);
    }
  }

  /** Only who writes everything that runs can say how far all of it is. */
  private tell(good: readonly CommitBatch[], next: Position): void {
    if (good.length + this.poisoned.size < this.all.length) return;
    this.parts.models.moved([next, ...good.map(({ to }) => to)].sort()[0]!, this.isAnew);
    this.isAnew = false;
  }

  /** Returns null for a projection that cannot take the page. */
  private async batch(own: LeasedProjection, page: LogPage): Promise<CommitBatch | null> {
    const { id, projection } = own;
    const from = this.checkpoints.get(id)!;
    try {
      const changes = changesOf(projection, selectEvents(projection, page, from));
      const documents = foldChanges(projection, changes, await this.before(projection, listChangedIds(changes)));
      return { projection, documents, from, to: page.next > from ? page.next : from };
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      await this.stopProjection(own, error);
      return null;
    }
  }

  private tellPastHead(projections: readonly string[], head: Position): void {
    const what = 'the event log ends before documents that were made of it, as one restored from an older backup does';
    this.parts.log.error({ projections, head }, `${what}; they are made anew`);
  }

  /** Readers of every process learn it from the store. */
  private async stopProjection(
    { id, projection }: LeasedProjection,
    { event, cause, message }: ProjectionError,
  ): Promise<void> {
    await this.parts.store.stop(projection, message, this.leases.of(id)!);
    this.poisoned.add(id);
    this.parts.models.stop(projection.name, message);
    const details = { projection: projection.name, event: event.id, position: event.position, err: cause };
    this.parts.log.error(details, message);
  }

  private before({ name }: Projection, ids: string[]) {
    return this.kept.load(name, ids, this.collections.get(name)!);
  }

  /** Whether it holds anything. Where others have written, it looks where the builds are. */
  private async mayWrite(): Promise<boolean> {
    await this.parts.share?.look();
    // Whoever wrote meanwhile may have got past an event that this process could not take.
    const isOther = await this.leases.renew(this.stale);
    if (isOther) this.poisoned.clear();
    if (isOther || this.stale) await this.readCheckpoints();
    this.sweep.sweepIfDue();
    return this.all.some(({ id }) => this.leases.of(id));
  }

  private async readCheckpoints(): Promise<void> {
    this.stale = this.isAnew = true;
    const found = await this.parts.store.checkpoints();
    this.checkpoints = new Map(found.map(each => [formatProjectionVersion(each), each.position]));
    this.kept.clear();
    this.stale = false;
  }

  private async recover(error: unknown): Promise<void> {
    const isConflict = error instanceof CommitConflict;
    if (!isConflict) this.failures.recordFailure(error, 'the projector could not go on; it tries again');
    this.stale = true;
    this.wakes.arm();
    await this.wakes.sleep(isConflict ? CONFLICT_RETRY_MS : RETRY_MS);
  }
}

const toLeasedProjection = (projection: Projection): LeasedProjection => ({
  id: formatProjectionVersion(projection),
  projection,
});
