import { setTimeout as pause } from 'node:timers/promises';
import type { Journal, JournalPage } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import { LOG_START, type Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { formatFillLease, formatProjectionVersion } from '#libs/documents/build-name.js';
import { LogFiller } from './log-filler.js';
import { type OnProgress, ProgressMeter } from './fill-progress.js';
import type { ProjectionError } from '#libs/documents/fold.js';
import { isForgotten } from '#libs/documents/forgotten.js';
import { LeaseKeeper } from '#libs/documents/lease-keeper.js';
import { CommitConflict, type DocumentStore, type Lease } from '#libs/documents/document-store.port.js';
import { findUnfilledBuilds } from './unfilled-builds.js';

const LOOK_MS = 100;
/** A log of at most so many events is folded into the live builds: the tables of new ones take longer than the events. */
const SHORT_LOG_EVENTS = 100;

interface StartupFillerParts {
  readonly journal: Journal;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly projections: readonly Projection[];
}

interface UnfilledProjection {
  readonly projection: Projection;
  readonly isPast: boolean;
}

interface Unfilled {
  readonly unfilled: readonly UnfilledProjection[];
  readonly head: Position;
}

/** A conflict means that another process took a lease: the caller then looks again. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof CommitConflict)) throw error;
}

/**
 * Fills empty builds before a process serves requests: builds of a new version, or all builds on a restored log.
 * Builds that are ahead of the log are replaced by empty ones first. The active projector fills, under the leases
 * of rebuilds, because a projector of another set may fill the same projection.
 */
export class StartupFiller {
  private filledTo: Position | null = null;

  constructor(
    private readonly parts: StartupFillerParts,
    private readonly projectorLease: LeaseKeeper,
    private readonly listener: {
      onProjectionError(projection: Projection, error: ProjectionError): Promise<void>;
      onPage(page: JournalPage): void;
      onPastHead(projections: readonly Projection[], head: Position): void;
      /** Folds the next page for the projections that are furthest behind, in one commit. */
      foldPage(): Promise<unknown>;
    },
  ) {}

  async run(onProgress?: OnProgress): Promise<Position | null> {
    while ((await this.look()).unfilled.length > 0) {
      await this.projectorLease.renew();
      const hasFilled = this.projectorLease.isComplete && (await this.foldOrFill(onProgress));
      if (!hasFilled) await pause(LOOK_MS);
    }
    return this.filledTo;
  }

  private async foldOrFill(onProgress?: OnProgress): Promise<boolean> {
    const found = await this.look();
    return (await this.foldShortLog(found, onProgress)) || this.tryFill(found, onProgress);
  }

  /** Folds a log of one page that takes all empty builds to the head. Pages end before a `Forgotten` event. */
  private async foldShortLog({ unfilled, head }: Unfilled, onProgress?: OnProgress): Promise<boolean> {
    if (unfilled.some(({ isPast }) => isPast)) return false;
    const { events, next } = await this.parts.journal.log.readAll(LOG_START, SHORT_LOG_EVENTS);
    if (next < head || events.some(isForgotten)) return false;
    await this.listener.foldPage().catch(ignoreConflict);
    if (onProgress) new ProgressMeter(LOG_START, head, onProgress).count(events.length, next);
    return true;
  }

  private async tryFill({ unfilled, head }: Unfilled, onProgress?: OnProgress): Promise<boolean> {
    const { store, clock } = this.parts;
    const names = unfilled.map(({ projection }) => formatFillLease(projection));
    const leases = new LeaseKeeper(store, clock, names, this.projectorLease.holder);
    try {
      await leases.renew();
      const mine = unfilled.filter(({ projection }) => leases.of(formatFillLease(projection)));
      if (mine.length > 0) await this.fill(mine, head, leases, onProgress).catch(ignoreConflict);
      return mine.length > 0;
    } finally {
      await leases.release();
    }
  }

  private async fill(
    all: readonly UnfilledProjection[],
    head: Position,
    fillLeases: LeaseKeeper,
    onProgress?: OnProgress,
  ): Promise<void> {
    const { journal, clock, store } = this.parts;
    const { builds } = store;
    const requireLease = (each: Projection) => fillLeases.requireLease(formatFillLease(each));
    const aheadOfLog = all.filter(({ isPast }) => isPast).map(({ projection }) => projection);
    if (aheadOfLog.length > 0) this.listener.onPastHead(aheadOfLog, head);
    for (const each of aheadOfLog) await builds.startOver(each, await requireLease(each), clock.now());
    const errors = new Map<Projection, ProjectionError>();
    const fill = new LogFiller({
      journal,
      builds,
      isGentle: false,
      onPage: async page => {
        this.listener.onPage(page);
        for (const leases of [this.projectorLease, fillLeases]) await leases.renew();
      },
      onProjectionError: async ({ projection }, error) => void errors.set(projection, error),
    });
    const newBuilds = await builds.begin(...all.map(({ projection }) => projection));
    for (const build of newBuilds) await fill.add(build, () => requireLease(build.projection));
    await fill.fillTo(() => head, onProgress);
    const leases: Lease[] = [];
    for (const { projection } of newBuilds) leases.push(await requireLease(projection));
    await builds.switchTo(newBuilds, leases, clock.now());
    for (const [projection, error] of errors) await this.listener.onProjectionError(projection, error);
    if (all.length === this.parts.projections.length && errors.size === 0) this.filledTo = head;
  }

  private async look(): Promise<Unfilled> {
    const { store, projections, journal } = this.parts;
    const checkpoints = new Map((await store.checkpoints()).map(each => [formatProjectionVersion(each), each]));
    const all = projections.map(each => ({ projection: each, ...checkpoints.get(formatProjectionVersion(each))! }));
    return findUnfilledBuilds(all, journal.log);
  }
}
