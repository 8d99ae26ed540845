import type { ClientSession, Db } from 'mongodb';
import { isIdTaken } from '#libs/mongodb/failure.js';
import type { Transactions } from '#libs/mongodb/transactions.js';
import type { Live, MongoBuilds } from './mongodb.builds.js';
import type { MongoLeases } from './mongodb.leases.js';
import { writeDocuments } from './mongodb.writes.js';
import { type Known, knownAs } from './places.js';
import type { Batch, Lease } from './port.js';

interface How {
  readonly session: ClientSession;
  readonly skipSeen: boolean;
}

/** Commits, each one transaction. What the first of a writer has looked at the next one knows: see `Known`. */
export class MongoCommits {
  private known: Known<readonly Live[]> | null = null;

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

  private async write(batches: readonly Batch[], leases: readonly Lease[], how: How) {
    const key = knownAs(batches, leases);
    const known = await this.goOn(key, batches, how);
    const { live, settled } = known ? { live: known.live, settled: known } : await this.look(batches, leases, how);
    for (const [index, { documents }] of batches.entries()) await writeDocuments(this.db, live[index]!, documents, how);
    return settled && key !== null ? { ...settled, key, live } : null;
  }

  private async goOn(key: string | null, batches: readonly Batch[], { session }: How) {
    const { known } = this;
    if (!known || known.key !== key) return null;
    const [{ from, to }] = batches as readonly [Batch];
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
    return { live, settled: await builds.reach(live, batches, session) };
  }
}
