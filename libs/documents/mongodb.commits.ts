import type { ClientSession, Db } from 'mongodb';
import { isIdTaken } from '#libs/mongodb/failure.js';
import type { Transactions } from '#libs/mongodb/transactions.js';
import { liveId } from './build-name.js';
import type { Live, MongoBuilds } from './mongodb.builds.js';
import type { MongoLeases } from './mongodb.leases.js';
import type { Settled } from './mongodb.places.js';
import { writeDocuments } from './mongodb.writes.js';
import type { Batch, Lease } from './port.js';

/** What a commit has found, and every later one of the same may rest on for as long as its place has counted nothing. */
interface Known extends Settled {
  readonly leases: string;
  readonly projections: string;
  readonly live: readonly Live[];
}

interface How {
  readonly session: ClientSession;
  readonly skipSeen: boolean;
}

/**
 * Commits, each one transaction. The first of a writer looks at its leases, at the builds and at where they stand. Once
 * its projections stand together it moves their place alone: whatever takes a lease away, makes another build the live
 * one or has it indexed otherwise counts that at the place, in its own transaction or behind it.
 */
export class MongoCommits {
  private known: Known | null = null;

  constructor(
    private readonly db: Db,
    private readonly parts: {
      readonly transactions: Transactions;
      readonly builds: MongoBuilds;
      readonly leases: MongoLeases;
    },
  ) {}

  async run(batches: readonly Batch[], leases: readonly Lease[]): Promise<void> {
    const attempt = (skipSeen: boolean) =>
      this.parts.transactions.run(session => this.write(batches, leases, { session, skipSeen }));
    const found = await attempt(false).catch((error: unknown) => {
      if (!isIdTaken(error)) throw error;
      return attempt(true);
    });
    if (found) this.known = found;
  }

  /** A lease was given back, which nobody is told of who does not take it. */
  forget(): void {
    this.known = null;
  }

  private async write(batches: readonly Batch[], leases: readonly Lease[], how: How): Promise<Known | null> {
    const known = await this.goOn(batches, leases, how);
    const { live, found } = known ? { live: known.live, found: known } : await this.look(batches, leases, how);
    for (const [index, { documents }] of batches.entries()) await writeDocuments(this.db, live[index]!, documents, how);
    return found;
  }

  /** Moves the place that the batches stand at, where it is known and nothing was counted there. */
  private async goOn(batches: readonly Batch[], leases: readonly Lease[], { session }: How): Promise<Known | null> {
    const { known } = this;
    if (!known || known.leases !== named(leases) || known.projections !== projectionsOf(batches)) return null;
    const [{ from, to }] = batches as readonly [Batch];
    if (from === to || batches.some(each => each.from !== from || each.to !== to)) return null;
    return (await this.parts.builds.places.moveAll(known, from, to, session)) ? known : null;
  }

  /** The lease first: who cannot write is told so before anything else. */
  private async look(batches: readonly Batch[], leases: readonly Lease[], { session }: How) {
    const { builds } = this.parts;
    await this.parts.leases.check(leases, session);
    const live = await builds.of(
      batches.map(({ projection }) => projection),
      session,
    );
    const settled = await builds.reach(live, batches, session);
    const found = settled && { ...settled, live, leases: named(leases), projections: projectionsOf(batches) };
    return { live, found };
  }
}

const named = (leases: readonly Lease[]) => leases.map(({ name, epoch }) => `${name}:${epoch}`).join();

const projectionsOf = (batches: readonly Batch[]) => batches.map(({ projection }) => liveId(projection)).join();
