import type { Journal, JournalPage } from '#libs/event-log/journal.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Event, Position } from '#libs/kernel/event.js';
import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import type { Projection } from '#libs/kernel/projection.js';
import { formatProjectionVersion, formatProjectorLease } from './build-name.js';
import { BuildSweeper } from './build-sweeper.js';
import type { OnProgress } from './filling/fill-progress.js';
import { UnreadableEventReporter } from './unreadable-event-reporter.js';
import { StartupFiller } from './filling/startup-filler.js';
import { changesOf, selectEvents, foldChanges, ProjectionError, listChangedIds } from './fold.js';
import { LeaseKeeper } from './lease-keeper.js';
import { DocumentCache } from './document-cache.js';
import { cutPage, eraseForgotten, findForgottenEvent, LogPages } from './forgotten.js';
import type { ReadModels } from './read-models.js';
import {
  type CommitBatch,
  type Collection,
  CommitConflict,
  type DocumentStore,
  type Lease,
  type ProjectionCheckpoint,
} from './document-store.port.js';

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
/** A standby polls once a second, so it replaces a killed projector within 5 s. */
export const PROJECTOR_TIMING = { leaseMs: 4 * SECOND_MS, renewMs: 1 * SECOND_MS };

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
}

/**
 * Folds the log into documents: one unfiltered read for all projections; documents and checkpoints in one commit. One
 * lease for the whole set makes one projector active and the others standbys. A build that a projector of another set
 * writes too conflicts by its position.
 */
export class Projector {
  /** Resolves once this projector has been the active one. */
  readonly active: Promise<void>;
  private reportActive: () => void = () => undefined;
  private readonly leaseName: string;
  private readonly leases: LeaseKeeper;
  private readonly stopped = new Set<string>();
  private readonly collections = new Map<string, Collection>();
  private readonly checkpoints = new Map<string, Pick<ProjectionCheckpoint, 'build' | 'position'>>();
  private readonly news: LogPages;
  private readonly backlog: LogPages;
  private readonly cache = new DocumentCache(DOCUMENTS_KEPT_MAX);
  private isStale = true;
  private mayHaveSwitched = true;
  private readonly sweeper: BuildSweeper;
  private running: Promise<void> | null = null;
  private stopping = false;
  private readonly wakes: WakeSignal;
  private readonly unreadableEvents: UnreadableEventReporter;
  private readonly failures: RetryFailureLog;

  constructor(private readonly parts: ProjectorParts) {
    const { journal, models, store, clock, projections, holder } = parts;
    this.active = new Promise(resolve => (this.reportActive = resolve));
    this.leaseName = formatProjectorLease(projections);
    this.leases = new LeaseKeeper(store, clock, [this.leaseName], holder, PROJECTOR_TIMING);
    this.news = new LogPages(journal, 'readNews');
    this.backlog = new LogPages(journal);
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
      onProjectionError: (projection, error) => this.stopProjection(projection, error),
      onPage: page => this.unreadableEvents.report(page),
      onPastHead: (projections, head) => this.logDocumentsPastHead(projections.map(formatProjectionVersion), head),
      foldPage: () => this.readCheckpoints().then(() => this.processBatch()),
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
    await this.leases.release();
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      this.wakes.arm();
      try {
        const events = (await this.renewLease()) ? await this.processBatch() : 0;
        this.failures.recordSuccess();
        const idleMs = Math.min(IDLE_MS, this.leases.renewInMs);
        const gatherMs = this.parts.isHurried && events >= MANY_EVENTS ? GATHER_MANY_MS : GATHER_MS;
        if (events < BATCH_EVENTS) await this.wakes.sleep(events > 0 ? gatherMs : idleMs, gatherMs);
      } catch (error) {
        await this.recover(error);
      }
    }
  }

  /** Returns the number of events, or `BATCH_EVENTS` while a projection catches up. */
  private async processBatch(): Promise<number> {
    const common = this.runningPositions.at(-1);
    if (common === undefined) return 0;
    const news = await this.news.after(common, BATCH_EVENTS);
    if (news.stored.length > 0) await this.applyPage(news, common);
    const [lowest, ...others] = this.runningPositions;
    if (others.length === 0) return news.stored.length;
    const page = cutPage(await this.backlog.after(lowest!, BATCH_EVENTS), others.at(-1)!);
    if (page.next > lowest!) await this.applyPage(page, lowest!);
    return page.next > lowest! ? BATCH_EVENTS : news.stored.length;
  }

  /** Distinct and ascending. The last one is common to all projections that have caught up. */
  private get runningPositions(): Position[] {
    return [...new Set(this.parts.projections.filter(this.isRunning).map(this.positionOf))].sort();
  }

  /** Folds a page for the projections at `from`, in one commit. */
  private async applyPage(page: JournalPage, from: Position): Promise<void> {
    this.unreadableEvents.report(page);
    const isDue = (each: Projection) => this.isRunning(each) && this.positionOf(each) === from;
    const forgotten = findForgottenEvent(page);
    if (forgotten) for (const each of this.parts.projections.filter(isDue)) await this.eraseDocuments(each, forgotten);
    const results = await Promise.all(this.parts.projections.filter(isDue).map(each => this.buildBatch(each, page)));
    const batches = results.flatMap(batch => batch ?? []);
    if (batches.length === 0) return;
    await this.parts.store.commit(batches, this.lease);
    if (forgotten) this.parts.store.purge?.();
    for (const { projection, build, documents, to } of batches) {
      this.checkpoints.set(projection.name, { build, position: to });
      this.cache.put(projection.name, documents);
    }
    if (batches.length + this.stopped.size === this.parts.projections.length) this.publishPosition(page.next);
  }

  private get lease(): Lease {
    return this.leases.of(this.leaseName)!;
  }

  private readonly isRunning = ({ name }: Projection) => !this.stopped.has(name);
  private readonly positionOf = ({ name }: Projection) => this.checkpoints.get(name)!.position;

  /** Erases in bounded steps; the checkpoint moves only after all of them, so an interrupted erasure is repeated. */
  private async eraseDocuments(projection: Projection, forgotten: Event): Promise<void> {
    const { build, position } = this.checkpoints.get(projection.name)!;
    try {
      for await (const documents of eraseForgotten(projection, this.collections.get(projection.name)!, forgotten)) {
        await this.parts.store.commit([{ projection, build, documents, from: position, to: position }], this.lease);
        this.cache.put(projection.name, documents);
      }
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      await this.stopProjection(projection, error);
    }
  }

  private publishPosition(common: Position): void {
    this.parts.models.moved(common, this.mayHaveSwitched);
    this.mayHaveSwitched = false;
  }

  private async buildBatch(projection: Projection, page: JournalPage): Promise<Required<CommitBatch> | null> {
    const { name } = projection;
    const { build, position: from } = this.checkpoints.get(name)!;
    try {
      const changes = changesOf(projection, selectEvents(projection, page, from));
      const stored = await this.cache.load(name, listChangedIds(changes), this.collections.get(name)!);
      const documents = foldChanges(projection, changes, stored);
      return { projection, build, documents, from, to: page.next };
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      await this.stopProjection(projection, error);
      return null;
    }
  }

  private logDocumentsPastHead(projections: readonly string[], head: Position): void {
    const message = 'documents are ahead of the event log, as after a restore of an older backup; rebuilding them';
    this.parts.log.error({ projections, head }, message);
  }

  private async stopProjection(projection: Projection, { event, cause, message }: ProjectionError): Promise<void> {
    await this.parts.store.stop(projection, message, this.lease);
    this.stopped.add(projection.name);
    this.parts.models.stop(projection.name, message);
    const details = { projection: projection.name, event: event.id, position: event.position, err: cause };
    this.parts.log.error(details, message);
  }

  private async renewLease(): Promise<boolean> {
    // Another process may have passed the event that stopped a projection here.
    const isTakenOver = await this.leases.renew(this.isStale);
    if (isTakenOver) this.stopped.clear();
    if (isTakenOver || this.isStale) await this.readCheckpoints();
    this.sweeper.sweepIfDue();
    if (this.leases.isComplete) this.reportActive();
    return this.leases.isComplete;
  }

  private async readCheckpoints(): Promise<void> {
    this.isStale = this.mayHaveSwitched = true;
    const checkpoints = await this.parts.store.checkpoints();
    const byId = new Map(checkpoints.map(each => [formatProjectionVersion(each), each]));
    for (const each of this.parts.projections)
      this.checkpoints.set(each.name, byId.get(formatProjectionVersion(each))!);
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
