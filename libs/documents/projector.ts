import type { Journal, JournalPage } from '#libs/event-log/journal.js';
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
import { eraseForgotten, findForgottenEvent, readLogPage } from './forgotten.js';
import type { ReadModels } from './read-models.js';
import type { ProjectionShare } from './projection-share.js';
import { type LeasedProjection, CatchUpScheduler } from './catch-up-scheduler.js';
import { type CommitBatch, type Collection, CommitConflict, type DocumentStore } from './document-store.port.js';

const BATCH_EVENTS = 500;
const IDLE_MS = 1 * SECOND_MS;
const RETRY_MS = 500;
/** Retry delay after another process has written: a rebuild blocks commits only briefly. */
const CONFLICT_RETRY_MS = 20;
/** How long to gather events while no reader waits: the cost of a batch hardly depends on its size. */
const GATHER_MS = 10;
/** Replaces `GATHER_MS` if the last batch had at least `MANY_EVENTS` and waiting readers can end the delay. */
const GATHER_MANY_MS = 100;
const MANY_EVENTS = 8;
const DOCUMENTS_KEPT_MAX = 20_000;

export interface ProjectorParts {
  readonly journal: Journal;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly projections: readonly Projection[];
  readonly models: Pick<ReadModels, 'moved' | 'stop' | 'onWait'>;
  readonly log: { error(details: object, message: string): void };
  /** Whether every waiting reader reports through `models.onWait`; true in a projector's own process. */
  readonly isHurried?: boolean;
  /** Name of the lease holder: a restarted process with the same name gets its leases at once. Random by default. */
  readonly holder?: string;
  /** Share of the projections among several projectors. All projections without another holder by default. */
  readonly share?: Pick<ProjectionShare, 'look' | 'wants' | 'leave'>;
}

/**
 * Folds the log into documents: one unfiltered read for all projections; documents and checkpoints in one commit. The
 * lease of a projection's version allows one writer per build.
 */
export class Projector {
  private readonly all: readonly LeasedProjection[];
  private readonly leases: LeaseKeeper;
  private readonly stoppedIds = new Set<string>();
  private readonly collections = new Map<string, Collection>();
  private positions = new Map<string, Position>();
  private readonly cache = new DocumentCache(DOCUMENTS_KEPT_MAX);
  private isStale = true;
  private mayHaveSwitched = true;
  private readonly scheduler = new CatchUpScheduler();
  private readonly sweeper: BuildSweeper;
  private running: Promise<void> | null = null;
  private stopping = false;
  private readonly wakes: WakeSignal;
  private readonly unreadableEvents: UnreadableEventReporter;
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
    this.unreadableEvents = new UnreadableEventReporter(parts.log);
    this.failures = new RetryFailureLog(parts.log);
    this.sweeper = new BuildSweeper(parts);
    models.onWait(() => this.wakes.hurry());
  }

  async start(onProgress?: OnProgress): Promise<void> {
    for (const projection of this.parts.projections) {
      this.collections.set(projection.name, await this.parts.store.open(projection));
    }
    const filler = new StartupFiller(this.parts, this.leases, {
      onProjectionError: (projection, error) => this.stopProjection(toLeasedProjection(projection), error),
      onPage: page => this.unreadableEvents.report(page),
      onPastHead: (projections, head) => this.logDocumentsPastHead(projections.map(formatProjectionVersion), head),
    });
    const position = await filler.run(onProgress);
    if (position !== null) this.parts.models.moved(position, true);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.wakes.end();
    await this.running;
    await this.sweeper.end();
    await this.parts.share?.leave();
    await this.leases.release();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.wakes.arm();
      try {
        const events = (await this.renewLeases()) ? await this.processBatch() : 0;
        this.failures.recordSuccess();
        const idleMs = Math.min(IDLE_MS, this.leases.renewInMs);
        const gatherMs = this.parts.isHurried && events >= MANY_EVENTS ? GATHER_MANY_MS : GATHER_MS;
        if (events < BATCH_EVENTS) await this.wakes.sleep(events > 0 ? gatherMs : idleMs, gatherMs);
      } catch (error) {
        await this.recover(error);
      }
    }
  }

  /** Returns the number of events, or `BATCH_EVENTS` if other projections need a batch at once. */
  private async processBatch(): Promise<number> {
    if (this.alive.length === 0) return 0;
    const { from, projections, othersWait } = this.scheduler.next(this.alive, this.positions, performance.now());
    const page = await readLogPage(this.parts.journal, from, BATCH_EVENTS, 'readNews');
    if (page.stored.length > 0) await this.applyPage(page, projections);
    return othersWait ? BATCH_EVENTS : page.stored.length;
  }

  private async applyPage(page: JournalPage, projections: readonly LeasedProjection[]): Promise<void> {
    this.unreadableEvents.report(page);
    const forgotten = findForgottenEvent(page);
    if (forgotten) for (const each of projections) await this.eraseDocuments(each, forgotten);
    const results = await Promise.all(projections.filter(this.isAlive).map(each => this.buildBatch(each, page)));
    const batches = results.flatMap(batch => batch ?? []);
    if (batches.length === 0) return;
    await this.parts.store.commit(
      batches,
      ...batches.map(({ projection }) => this.leases.of(formatProjectionVersion(projection))!),
    );
    if (forgotten) this.parts.store.purge?.();
    for (const { projection, documents, to } of batches) {
      this.positions.set(formatProjectionVersion(projection), to);
      this.cache.put(projection.name, documents);
    }
    this.publishPosition(batches, page.next);
  }

  private get alive(): readonly LeasedProjection[] {
    return this.all.filter(this.isAlive);
  }

  private readonly isAlive = ({ id }: LeasedProjection) => this.leases.of(id) !== undefined && !this.stoppedIds.has(id);

  /** Erases in bounded steps; the checkpoint moves only after all of them, so an interrupted erasure is repeated. */
  private async eraseDocuments(leased: LeasedProjection, forgotten: Event): Promise<void> {
    const { id, projection } = leased;
    const from = this.positions.get(id)!;
    if (from >= forgotten.position) return;
    try {
      for await (const documents of eraseForgotten(projection, this.collections.get(projection.name)!, forgotten)) {
        await this.parts.store.commit([{ projection, documents, from, to: from }], this.leases.of(id)!);
        this.cache.put(projection.name, documents);
      }
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      await this.stopProjection(leased, error);
    }
  }

  /** Only a process that writes every running projection knows how far all of them are. */
  private publishPosition(batches: readonly CommitBatch[], next: Position): void {
    if (batches.length + this.stoppedIds.size < this.all.length) return;
    this.parts.models.moved([next, ...batches.map(({ to }) => to)].sort()[0]!, this.mayHaveSwitched);
    this.mayHaveSwitched = false;
  }

  private async buildBatch(leased: LeasedProjection, page: JournalPage): Promise<CommitBatch | null> {
    const { id, projection } = leased;
    const from = this.positions.get(id)!;
    try {
      const changes = changesOf(projection, selectEvents(projection, page, from));
      const { name } = projection;
      const stored = await this.cache.load(name, listChangedIds(changes), this.collections.get(name)!);
      const documents = foldChanges(projection, changes, stored);
      return { projection, documents, from, to: page.next > from ? page.next : from };
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      await this.stopProjection(leased, error);
      return null;
    }
  }

  private logDocumentsPastHead(projections: readonly string[], head: Position): void {
    const message = 'documents are ahead of the event log, as after a restore of an older backup; rebuilding them';
    this.parts.log.error({ projections, head }, message);
  }

  private async stopProjection(
    { id, projection }: LeasedProjection,
    { event, cause, message }: ProjectionError,
  ): Promise<void> {
    await this.parts.store.stop(projection, message, this.leases.of(id)!);
    this.stoppedIds.add(id);
    this.parts.models.stop(projection.name, message);
    const details = { projection: projection.name, event: event.id, position: event.position, err: cause };
    this.parts.log.error(details, message);
  }

  private async renewLeases(): Promise<boolean> {
    await this.parts.share?.look();
    // Another process may have passed the event that stopped a projection here.
    const isTakenOver = await this.leases.renew(this.isStale);
    if (isTakenOver) this.stoppedIds.clear();
    if (isTakenOver || this.isStale) await this.readCheckpoints();
    this.sweeper.sweepIfDue();
    return this.all.some(({ id }) => this.leases.of(id));
  }

  private async readCheckpoints(): Promise<void> {
    this.isStale = this.mayHaveSwitched = true;
    const checkpoints = await this.parts.store.checkpoints();
    this.positions = new Map(checkpoints.map(each => [formatProjectionVersion(each), each.position]));
    this.cache.clear();
    this.isStale = false;
  }

  private async recover(error: unknown): Promise<void> {
    const isConflict = error instanceof CommitConflict;
    if (!isConflict) this.failures.recordFailure(error, 'the projector failed; retrying');
    this.isStale = true;
    this.wakes.arm();
    await this.wakes.sleep(isConflict ? CONFLICT_RETRY_MS : RETRY_MS);
  }
}

const toLeasedProjection = (projection: Projection): LeasedProjection => ({
  id: formatProjectionVersion(projection),
  projection,
});
