import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '#libs/event-log/journal.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { formatFillLease, REPLACED_BUILD_RETENTION_MS, formatProjectionVersion } from '../build-name.js';
import type { NewBuild } from '../builds.port.js';
import { LogFiller } from '../filling/log-filler.js';
import type { OnProgress } from '../filling/fill-progress.js';
import type { BuildFill } from '../filling/build-fill.js';
import { findUnfilledBuilds } from '../filling/unfilled-builds.js';
import { LeaseKeeper } from '../lease-keeper.js';
import { ParityCheck, type ParityReport } from './parity-check.js';
import { type Collection, CommitConflict, type DocumentStore, type Lease } from '../document-store.port.js';

/** How long it waits for another rebuild of the same projection, which may have been killed: longer than its lease. */
const OTHER_REBUILD_MS = 15 * SECOND_MS;
const OTHER_LOOK_MS = 250;
/** How long the projector stands still at most. */
const HOLD_MS = 10 * SECOND_MS;
const HOLD_TRIES_MAX = 3;
/** A new build this close behind the live one needs a moment to reach it. */
const NEAR_EVENTS = 500;
const ROUNDS_MAX = 20;

export interface RebuildParts {
  readonly journal: Journal;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly projections: readonly Projection[];
}

export interface RebuildOptions {
  /** Everything but the switch; nothing of it is left. */
  readonly dryRun: boolean;
  /** Whether a build that was not finished is dropped, and not continued. */
  readonly startOver?: boolean;
  readonly onProgress?: OnProgress;
  /** How many events are folded at most before what has changed is written: what a kill costs. */
  readonly writeEvents?: number;
}

/** What became of one projection. */
export interface RebuiltProjection {
  readonly name: string;
  readonly version: number;
  readonly build: string;
  /** Where an earlier rebuild that was not finished was gone on from; null for one from zero. */
  readonly resumed_from: Position | null;
  /** Where both builds stood when they were compared. */
  readonly position: Position;
  /** Whether the new build is the live one now. */
  readonly switched: boolean;
  /** Why there is no new build: an event that the projection cannot take. */
  readonly failed: string | null;
  readonly parity: ParityReport | null;
}

export interface RebuildReport {
  readonly dry_run: boolean;
  readonly events: number;
  readonly seconds: number;
  /** How long the projector stood still. */
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

/** Builds the documents of projections anew beside the live ones, compares them, and makes the new ones the live ones. */
export class Rebuild {
  private readonly leases: LeaseKeeper;
  private readonly fill: LogFiller;
  private tasks: RebuildTask[] = [];
  private events = 0;

  constructor(
    private readonly parts: RebuildParts,
    private readonly options: RebuildOptions,
  ) {
    const { journal, store, clock, projections } = parts;
    this.leases = new LeaseKeeper(store, clock, projections.map(formatFillLease));
    this.fill = new LogFiller({
      journal,
      builds: store.builds,
      isGentle: true,
      writeEvents: options.writeEvents,
      onPoison: async ({ name }, { message }) => {
        this.tasks.find(({ build }) => build.name === name)!.failed = message;
      },
    });
  }

  /** Throws a sentence where another process rebuilds the same; an unfinished build is left for the next time. */
  async run(): Promise<RebuildReport> {
    const began = performance.now();
    try {
      await this.prepare();
      await this.fillUp(this.options.onProgress);
      for (const task of this.good) await this.compare(task);
      for (let round = 0; round < ROUNDS_MAX && (await this.fillUp()) > NEAR_EVENTS;) round += 1;
      const { heldMs, reached } = await this.finish();
      for (const task of this.tasks)
        if (task.failed !== null || this.options.dryRun) await this.parts.store.builds.drop(task.build.name);
      return this.report((performance.now() - began) / SECOND_MS, heldMs, reached);
    } finally {
      await this.leases.release();
    }
  }

  private get good(): RebuildTask[] {
    return this.tasks.filter(({ failed }) => failed === null);
  }

  private async prepare(): Promise<void> {
    const { journal, store, clock, projections } = this.parts;
    const live = new Map<Projection, Collection>();
    for (const projection of projections) live.set(projection, await store.open(projection));
    const [empty] = (await findUnfilledBuilds(await store.checkpoints(), journal.log)).unfilled;
    if (empty)
      throw new Error(
        `${formatProjectionVersion(empty)} is not filled for this log yet: a service that starts does that.`,
      );
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
      const taken = this.parts.projections.map(formatFillLease).find(name => !this.leases.of(name));
      if (taken === undefined) return;
      if (performance.now() > until) throw new Error(`Another process is at it: ${taken}.`);
      await pause(OTHER_LOOK_MS);
    }
  }

  private async task(build: NewBuild, live: Collection): Promise<RebuildTask> {
    const fill = await this.fill.add(build, () => this.leases.requireLease(formatFillLease(build.projection)));
    const resumedFrom = fill.position === LOG_START ? null : fill.position;
    return { build, fill, resumedFrom, parity: new ParityCheck(live, build.collection), failed: null };
  }

  /** Up to where the live builds are at this moment; answers how many events that were. */
  private async fillUp(onProgress?: OnProgress): Promise<number> {
    const live = await this.livePositions();
    const events = await this.fill.fillTo(
      ({ projection }) => live.get(formatProjectionVersion(projection))!,
      onProgress,
    );
    this.events += events;
    return events;
  }

  private async livePositions(): Promise<Map<string, Position>> {
    return new Map((await this.parts.store.checkpoints()).map(each => [formatProjectionVersion(each), each.position]));
  }

  /** The first look, while the live build moves on. */
  private async compare({ fill, parity }: RebuildTask): Promise<void> {
    fill.takeChangedIds();
    await parity.compareAll(fill.position);
  }

  /** Both stand still: what has changed is compared again, and the new builds become the live ones. */
  private async finish(): Promise<{ heldMs: number; reached: Map<string, Position> }> {
    for (let tries = 1; ; tries += 1) {
      const began = performance.now();
      const { good } = this;
      const held = await Promise.all(good.map(({ build }) => this.seize(build.projection)));
      try {
        await this.catchUpAndSwitch(held);
        return { heldMs: performance.now() - began, reached: await this.livePositions() };
      } catch (error) {
        if (!(error instanceof CommitConflict) || tries >= HOLD_TRIES_MAX) throw error;
      } finally {
        await this.parts.store.release(...held);
      }
    }
  }

  private async catchUpAndSwitch(held: readonly Lease[]): Promise<void> {
    await this.fillUp();
    for (const { fill, parity } of this.good) await parity.compareAgain(fill.takeChangedIds());
    if (this.options.dryRun || this.good.length === 0) return;
    const builds = this.good.map(({ build }) => build);
    await this.parts.store.builds.switchTo(builds, held, this.parts.clock.now());
  }

  private seize(projection: Projection): Promise<Lease> {
    const { store, clock } = this.parts;
    return store.seize(formatProjectionVersion(projection), this.leases.holder, HOLD_MS, clock.now());
  }

  private report(seconds: number, heldMs: number, reached: ReadonlyMap<string, Position>): RebuildReport {
    const projections = this.tasks.map(task => ({
      name: task.build.projection.name,
      version: task.build.projection.version,
      build: task.build.name,
      resumed_from: task.resumedFrom,
      position: reached.get(formatProjectionVersion(task.build.projection))!,
      switched: task.failed === null && !this.options.dryRun,
      failed: task.failed,
      parity: task.failed === null ? task.parity.report() : null,
    }));
    const { dryRun: dry_run } = this.options;
    return { dry_run, events: this.events, seconds, held_ms: Math.round(heldMs), projections };
  }
}
