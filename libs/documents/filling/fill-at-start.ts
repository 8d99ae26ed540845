import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { liveId } from '../build-name.js';
import { FillFromLog } from './fill-from-log.js';
import type { LogPage } from '../log-page.js';
import type { OnProgress } from './measure-progress.js';
import type { Poison } from '../fold.js';
import type { HeldLeases } from '../held-leases.js';
import type { Share } from '../share.js';
import { CommitConflict, type DocumentStore } from '../port.js';
import { unfilledOf } from './unfilled.js';

/** How often it looks whether another process has filled what it holds the lease of. */
const LOOK_MS = 100;

export interface FillAtStartParts {
  readonly journal: Journal;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly projections: readonly Projection[];
  /** As the projector's. */
  readonly share?: Pick<Share, 'look'>;
}

interface Unfilled {
  readonly projection: Projection;
  /** Whether it holds more than the log. */
  readonly isPast: boolean;
}

/** Somebody else has taken over: it is looked again who fills what. */
function unlessConflict(error: unknown): void {
  if (!(error instanceof CommitConflict)) throw error;
}

/**
 * Fills the live builds of a process's own versions that hold nothing yet, before it takes requests: of a projection
 * with a changed version, or of empty documents on a full log. Documents of more than the log holds, which was restored
 * from an older backup, are made anew. Each build is filled by the process that has its lease.
 */
export class FillAtStart {
  private reached: Position | null = null;

  constructor(
    private readonly parts: FillAtStartParts,
    private readonly leases: HeldLeases,
    private readonly tell: {
      onPoison(projection: Projection, poison: Poison): Promise<void>;
      onPage(page: LogPage): void;
      onPastHead(projections: readonly Projection[], head: Position): void;
    },
  ) {}

  /** Answers up to where every build of the process is filled, where it has filled all of them. */
  async run(onProgress?: OnProgress): Promise<Position | null> {
    for (let looked = await this.look(); looked.unfilled.length > 0; looked = await this.look()) {
      // Not while it fills: what it has begun it ends, whoever comes meanwhile.
      await this.parts.share?.look();
      await this.leases.keep();
      const own = looked.unfilled.filter(({ projection }) => this.leases.of(liveId(projection)));
      if (own.length === 0) await pause(LOOK_MS);
      else await this.fillOwn(own, looked.head, onProgress).catch(unlessConflict);
    }
    return this.reached;
  }

  private async fillOwn(own: readonly Unfilled[], head: Position, onProgress?: OnProgress): Promise<void> {
    const { store, clock } = this.parts;
    const over = own.filter(({ isPast }) => isPast).map(({ projection }) => projection);
    if (over.length > 0) this.tell.onPastHead(over, head);
    for (const projection of over)
      await store.builds.startOver(projection, this.leases.of(liveId(projection))!, clock.now());
    const all = own.map(({ projection }) => projection);
    await this.fill(all, head, onProgress);
  }

  private async fill(own: readonly Projection[], head: Position, onProgress?: OnProgress): Promise<void> {
    const { journal, store, projections } = this.parts;
    const poisoned = new Set<Projection>();
    const fill = new FillFromLog({
      journal,
      builds: store.builds,
      isBeside: false,
      onPage: page => this.tell.onPage(page),
      onPoison: async ({ projection }, poison) => {
        poisoned.add(projection);
        await this.tell.onPoison(projection, poison);
      },
    });
    for (const projection of own) {
      const keep = () => this.leases.sure(liveId(projection));
      // Who was slow may have lost it by now to one who has filled the build, which would count as not filled again.
      await keep();
      await fill.add(await store.builds.beginLive(projection), keep);
    }
    await fill.to(() => head, onProgress);
    if (own.length === projections.length && poisoned.size === 0) this.reached = head;
  }

  private async look(): Promise<{ readonly unfilled: readonly Unfilled[]; readonly head: Position }> {
    const checkpoints = new Map((await this.parts.store.checkpoints()).map(each => [liveId(each), each]));
    const all = this.parts.projections.map(each => ({ projection: each, ...checkpoints.get(liveId(each))! }));
    const { unfilled, past, head } = await unfilledOf(all, this.parts.journal.log);
    return { unfilled: unfilled.map(({ projection, name }) => ({ projection, isPast: past.has(name) })), head };
  }
}
