import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { formatProjectionVersion } from '../build-name.js';
import { LogFiller } from './log-filler.js';
import type { LogPage } from '../log-page.js';
import type { OnProgress } from './fill-progress.js';
import type { ProjectionError } from '../fold.js';
import type { LeaseKeeper } from '../lease-keeper.js';
import type { ProjectionShare } from '../projection-share.js';
import { CommitConflict, type DocumentStore, type Lease } from '../document-store.port.js';
import { findUnfilledBuilds } from './unfilled-builds.js';

/** How often it looks whether another process has filled what it holds the lease of. */
const LOOK_MS = 100;

export interface StartupFillerParts {
  readonly journal: Journal;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly projections: readonly Projection[];
  /** As the projector's. */
  readonly share?: Pick<ProjectionShare, 'look'>;
}

interface UnfilledProjection {
  readonly projection: Projection;
  /** Whether it holds more than the log. */
  readonly isPast: boolean;
}

/** Somebody else has taken over: it is looked again who fills what. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof CommitConflict)) throw error;
}

/**
 * Rebuilds the projections of a process whose live builds hold nothing of the log, before it takes requests: those of a
 * new version, or of empty documents on a full log. Documents of more than the log holds, which was restored from an
 * older backup, are replaced by empty ones first. Each projection is rebuilt by the process that has its lease.
 */
export class StartupFiller {
  private reached: Position | null = null;

  constructor(
    private readonly parts: StartupFillerParts,
    private readonly leases: LeaseKeeper,
    private readonly tell: {
      onPoison(projection: Projection, poison: ProjectionError): Promise<void>;
      onPage(page: LogPage): void;
      onPastHead(projections: readonly Projection[], head: Position): void;
    },
  ) {}

  /** Answers up to where every build of the process is filled, where it has filled all of them. */
  async run(onProgress?: OnProgress): Promise<Position | null> {
    while ((await this.look()).unfilled.length > 0) {
      // Looks only between fills: a process ends a fill even if another starts.
      await this.parts.share?.look();
      await this.leases.renew();
      // Reads again under the leases, without which no other process can fill these.
      const { unfilled, head } = await this.look();
      const own = unfilled.filter(({ projection }) => this.leases.of(formatProjectionVersion(projection)));
      if (own.length === 0) await pause(LOOK_MS);
      else await this.fill(own, head, onProgress).catch(ignoreConflict);
    }
    return this.reached;
  }

  private async fill(own: readonly UnfilledProjection[], head: Position, onProgress?: OnProgress): Promise<void> {
    const { journal, store, clock } = this.parts;
    const { builds } = store;
    const past = own.filter(({ isPast }) => isPast).map(({ projection }) => projection);
    if (past.length > 0) this.tell.onPastHead(past, head);
    for (const each of past)
      await builds.startOver(each, await this.leases.requireLease(formatProjectionVersion(each)), clock.now());
    const poisoned = new Map<Projection, ProjectionError>();
    const fill = new LogFiller({
      journal,
      builds,
      isGentle: false,
      onPage: page => this.tell.onPage(page),
      onPoison: async ({ projection }, poison) => void poisoned.set(projection, poison),
    });
    const made = await builds.begin(...own.map(({ projection }) => projection));
    for (const build of made)
      await fill.add(build, () => this.leases.requireLease(formatProjectionVersion(build.projection)));
    await fill.fillTo(() => head, onProgress);
    const leases: Lease[] = [];
    for (const { projection } of made) leases.push(await this.leases.requireLease(formatProjectionVersion(projection)));
    await builds.switchTo(made, leases, clock.now());
    for (const [projection, poison] of poisoned) await this.tell.onPoison(projection, poison);
    if (own.length === this.parts.projections.length && poisoned.size === 0) this.reached = head;
  }

  private async look(): Promise<{ readonly unfilled: readonly UnfilledProjection[]; readonly head: Position }> {
    const checkpoints = new Map(
      (await this.parts.store.checkpoints()).map(each => [formatProjectionVersion(each), each]),
    );
    const all = this.parts.projections.map(each => ({
      projection: each,
      ...checkpoints.get(formatProjectionVersion(each))!,
    }));
    const { unfilled, past, head } = await findUnfilledBuilds(all, this.parts.journal.log);
    return { unfilled: unfilled.map(({ projection, name }) => ({ projection, isPast: past.has(name) })), head };
  }
}
