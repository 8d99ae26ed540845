import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '#libs/event-log/journal.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import {
  formatFillLease,
  formatProjectionVersion,
  isProjectorLease,
  type LeaseEnd,
  REPLACED_BUILD_RETENTION_MS,
} from '#libs/documents/build-name.js';
import type { NewBuild } from '#libs/documents/builds.port.js';
import { LogFiller } from '#libs/documents/filling/log-filler.js';
import type { OnProgress } from '#libs/documents/filling/fill-progress.js';
import type { BuildFill } from '#libs/documents/filling/build-fill.js';
import { findUnfilledBuilds } from '#libs/documents/filling/unfilled-builds.js';
import { LeaseKeeper } from '#libs/documents/lease-keeper.js';
import { ParityCheck, type ParityReport } from './parity-check.js';
import {
  type Collection,
  CommitConflict,
  type DocumentStore,
  type Lease,
} from '#libs/documents/document-store.port.js';

const OTHER_REBUILD_MS = 15 * SECOND_MS;
const OTHER_LOOK_MS = 250;
/** Lease time for the comparison and the switch, while the projector is paused. */
const HOLD_MS = 10 * SECOND_MS;
const HOLD_TRIES_MAX = 3;
const NEAR_EVENTS = 500;
const ROUNDS_MAX = 20;

interface RebuildParts {
  readonly journal: Journal;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly projections: readonly Projection[];
}

export interface RebuildOptions {
  /** Compares the new build and drops it, without a switch. */
  readonly dryRun: boolean;
  readonly startOver?: boolean;
  readonly onProgress?: OnProgress;
  /** Maximum number of events folded before a write: how much a kill loses. */
  readonly writeEvents?: number;
}

export interface RebuiltProjection {
  readonly name: string;
  readonly version: number;
  readonly build: string;
  /** Position from which an unfinished rebuild was resumed; null for a new one. */
  readonly resumed_from: Position | null;
  /** Position of both builds when they were compared. */
  readonly position: Position;
  readonly switched: boolean;
  readonly failed: string | null;
  readonly parity: ParityReport | null;
}

export interface RebuildReport {
  readonly dry_run: boolean;
  readonly events: number;
  readonly seconds: number;
  readonly held_ms: number;
  readonly projections: readonly RebuiltProjection[];
}

interface RebuildTask {
  readonly build: NewBuild;
  readonly fill: BuildFill;
  readonly resumedFrom: Position | null;
  readonly parity: ParityCheck;
  failed: string | null;
}

/** Rebuilds projections beside the live builds, compares both, and switches to the new ones. */
export class Rebuild {
  private readonly leases: LeaseKeeper;
  private readonly filler: LogFiller;
  private tasks: RebuildTask[] = [];
  private events = 0;

  constructor(
    private readonly parts: RebuildParts,
    private readonly options: RebuildOptions,
  ) {
    const { journal, store, clock, projections } = parts;
    this.leases = new LeaseKeeper(store, clock, projections.map(formatFillLease));
    this.filler = new LogFiller({
      journal,
      builds: store.builds,
      isGentle: true,
      writeEvents: options.writeEvents,
      onProjectionError: async ({ name }, { message }) => {
        this.tasks.find(({ build }) => build.name === name)!.failed = message;
      },
    });
  }

  /** Throws if another process rebuilds the same projection. An unfinished build is kept for the next run. */
  async run(): Promise<RebuildReport> {
    const began = performance.now();
    try {
      await this.prepare();
      await this.fillUp(this.options.onProgress);
      for (const task of this.buildable) await this.compare(task);
      for (let round = 0; round < ROUNDS_MAX && (await this.fillUp()) > NEAR_EVENTS;) round += 1;
      const { heldMs, positions } = await this.finish();
      for (const task of this.tasks)
        if (task.failed !== null || this.options.dryRun) await this.parts.store.builds.drop(task.build.name);
      return this.report((performance.now() - began) / SECOND_MS, heldMs, positions);
    } finally {
      await this.leases.release();
    }
  }

  private get buildable(): RebuildTask[] {
    return this.tasks.filter(({ failed }) => failed === null);
  }

  private async prepare(): Promise<void> {
    const { journal, store, clock, projections } = this.parts;
    const live = new Map<Projection, Collection>();
    for (const projection of projections) live.set(projection, await store.open(projection));
    const [unfilled] = (await findUnfilledBuilds(await store.checkpoints(), journal.log)).unfilled;
    if (unfilled)
      throw new Error(`${formatProjectionVersion(unfilled)} is not filled yet. Start the service first, then rebuild.`);
    await this.takeLeases();
    await store.builds.sweep(clock.now() - REPLACED_BUILD_RETENTION_MS);
    if (this.options.startOver)
      for (const { name } of await store.builds.begin(...projections)) await store.builds.drop(name);
    for (const build of await store.builds.begin(...projections))
      this.tasks.push(await this.task(build, live.get(build.projection)!));
  }

  private async takeLeases(): Promise<void> {
    const until = performance.now() + OTHER_REBUILD_MS;
    for (await this.leases.renew(); ; await this.leases.renew(true)) {
      const missing = this.parts.projections.map(formatFillLease).find(name => !this.leases.of(name));
      if (missing === undefined) return;
      if (performance.now() > until)
        throw new Error(`Another process rebuilds this projection (lease "${missing}"). Wait until it has finished.`);
      await pause(OTHER_LOOK_MS);
    }
  }

  private async task(build: NewBuild, live: Collection): Promise<RebuildTask> {
    const fill = await this.filler.add(build, () => this.leases.requireLease(formatFillLease(build.projection)));
    const resumedFrom = fill.position === LOG_START ? null : fill.position;
    return { build, fill, resumedFrom, parity: new ParityCheck(live, build.collection), failed: null };
  }

  private async fillUp(onProgress?: OnProgress): Promise<number> {
    const live = await this.livePositions();
    const events = await this.filler.fillTo(
      ({ projection }) => live.get(formatProjectionVersion(projection))!,
      onProgress,
    );
    this.events += events;
    return events;
  }

  private async livePositions(): Promise<Map<string, Position>> {
    return new Map((await this.parts.store.checkpoints()).map(each => [formatProjectionVersion(each), each.position]));
  }

  private async compare({ fill, parity }: RebuildTask): Promise<void> {
    fill.takeChangedIds();
    await parity.compareAll(fill.position);
  }

  private async finish(): Promise<{ heldMs: number; positions: Map<string, Position> }> {
    for (let tries = 1; ; tries += 1) {
      const began = performance.now();
      const paused = await this.pauseProjectors();
      try {
        await this.catchUpAndSwitch();
        return { heldMs: performance.now() - began, positions: await this.livePositions() };
      } catch (error) {
        if (!(error instanceof CommitConflict) || tries >= HOLD_TRIES_MAX) throw error;
      } finally {
        await this.parts.store.release(...paused);
      }
    }
  }

  private async catchUpAndSwitch(): Promise<void> {
    await this.fillUp();
    for (const { fill, parity } of this.buildable) await parity.compareAgain(fill.takeChangedIds());
    if (this.options.dryRun || this.buildable.length === 0) return;
    const builds = this.buildable.map(({ build }) => build);
    const leases: Lease[] = [];
    for (const { projection } of builds) leases.push(await this.leases.requireLease(formatFillLease(projection)));
    await this.parts.store.builds.switchTo(builds, leases, this.parts.clock.now());
  }

  /** Seizes the lease of each projector that writes the rebuilt projections. */
  private async pauseProjectors(): Promise<Lease[]> {
    const { store, clock } = this.parts;
    const now = clock.now();
    const isActive = ({ name, endsAt }: LeaseEnd) =>
      endsAt > now && this.buildable.some(({ build }) => isProjectorLease(name, build.projection));
    const active = (await store.listLeases()).filter(isActive);
    return Promise.all(active.map(({ name }) => store.seize(name, this.leases.holder, HOLD_MS, now)));
  }

  private report(seconds: number, heldMs: number, positions: ReadonlyMap<string, Position>): RebuildReport {
    const projections = this.tasks.map(task => ({
      name: task.build.projection.name,
      version: task.build.projection.version,
      build: task.build.name,
      resumed_from: task.resumedFrom,
      position: positions.get(formatProjectionVersion(task.build.projection))!,
      switched: task.failed === null && !this.options.dryRun,
      failed: task.failed,
      parity: task.failed === null ? task.parity.report() : null,
    }));
    const { dryRun: dry_run } = this.options;
    return { dry_run, events: this.events, seconds, held_ms: Math.round(heldMs), projections };
  }
}
