import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '#libs/event-log/journal.js';
import { type Position, START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { liveId } from '../build-name.js';
import type { EventPage } from './fill-build.js';
import { FillFromLog } from './fill-from-log.js';
import type { OnProgress } from './measure-progress.js';
import type { Poison } from '../fold.js';
import type { HeldLeases } from '../held-leases.js';
import { type Checkpoint, CommitConflict, type DocumentStore } from '../port.js';

/** How often it looks whether another process has filled what it holds the lease of. */
const LOOK_MS = 100;

export interface FillAtStartParts {
  readonly journal: Journal;
  readonly store: DocumentStore;
  readonly projections: readonly Projection[];
}

/** Whether nobody can read a live build yet, of a log that ends at `head`. */
export function isUnfilled({ position, stopped, isFilling }: Checkpoint, head: Position): boolean {
  return isFilling || (position === START && stopped === null && head > START);
}

/** Somebody else has taken over: it is looked again who fills what. */
function unlessConflict(error: unknown): void {
  if (!(error instanceof CommitConflict)) throw error;
}

/**
 * Fills the live builds of a process's own versions that hold nothing yet, before it takes requests: of a projection
 * with a changed version, or of empty documents on a full log. Each is filled by the process that has its lease.
 */
export class FillAtStart {
  private reached: Position | null = null;

  constructor(
    private readonly parts: FillAtStartParts,
    private readonly leases: HeldLeases,
    private readonly tell: {
      onPoison(projection: Projection, poison: Poison): Promise<void>;
      onPage(page: EventPage): void;
    },
  ) {}

  /** Answers up to where every build of the process is filled, where it has filled all of them. */
  async run(onProgress?: OnProgress): Promise<Position | null> {
    const head = await this.parts.journal.log.head();
    for (let unfilled = await this.unfilled(head); unfilled.length > 0; unfilled = await this.unfilled(head)) {
      await this.leases.keep();
      const own = unfilled.filter(projection => this.leases.of(liveId(projection)));
      if (own.length === 0) await pause(LOOK_MS);
      else await this.fill(own, head, onProgress).catch(unlessConflict);
    }
    return this.reached;
  }

  private async fill(own: readonly Projection[], head: Position, onProgress?: OnProgress): Promise<void> {
    const { journal, store, projections } = this.parts;
    const poisoned = new Set<Projection>();
    const fill = new FillFromLog({
      ...{ journal, builds: store.builds, isBeside: false, onPage: page => this.tell.onPage(page) },
      onPoison: async ({ projection }, poison) => {
        poisoned.add(projection);
        await this.tell.onPoison(projection, poison);
      },
    });
    for (const projection of own) {
      const build = await store.builds.beginLive(projection);
      await fill.add(build, () => this.leases.sure(liveId(projection)));
    }
    await fill.to(() => head, onProgress);
    if (own.length === projections.length && poisoned.size === 0) this.reached = head;
  }

  private async unfilled(head: Position): Promise<Projection[]> {
    const checkpoints = new Map((await this.parts.store.checkpoints()).map(each => [liveId(each), each]));
    return this.parts.projections.filter(projection => isUnfilled(checkpoints.get(liveId(projection))!, head));
  }
}
