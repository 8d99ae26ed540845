import type { ClientSession, Db } from 'mongodb';
import { isIdTaken } from '#libs/platform/mongodb/failure.js';
import type { Transactions } from '#libs/platform/mongodb/transactions.js';
import { basisKey, type CommitBasis } from './checkpoints.js';
import type { Live, MongoBuilds } from './mongodb.builds.js';
import type { MongoLeases } from './mongodb.leases.js';
import { writeDocuments } from './mongodb.writes.js';
import type { Batch, Lease } from './port.js';

interface How {
  readonly session: ClientSession;
  readonly skipSeen: boolean;
}

/** Commits, each one transaction. The next ones of a writer rest on what its first has read: see `CommitBasis`. */
export class MongoCommits {
  private basis: CommitBasis<readonly Live[]> | null = null;

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
    const basis = await attempt(false).catch((error: unknown) => {
      if (!isIdTaken(error)) throw error;
      return attempt(true);
    });
    if (basis) this.basis = basis;
  }

  /** A lease was given back, which dissolves nothing until another process takes it. */
  forget(): void {
    this.basis = null;
  }

  private async write(batches: readonly Batch[], leases: readonly Lease[], how: How) {
    const key = basisKey(batches, leases);
    const { live, shared } = (await this.goOn(key, batches, how)) ?? (await this.look(batches, leases, how));
    for (const [index, { documents }] of batches.entries()) await writeDocuments(this.db, live[index]!, documents, how);
    return shared !== null && key !== null ? { key, live, shared } : null;
  }

  private async goOn(key: string | null, batches: readonly Batch[], { session }: How) {
    const { basis } = this;
    if (!basis || basis.key !== key) return null;
    const [{ from, to }] = batches as readonly [Batch];
    return (await this.parts.builds.checkpoints.moveShared(basis.shared, from, to, session)) ? basis : null;
  }

  /** The lease first: who cannot write is told so before anything else. */
  private async look(batches: readonly Batch[], leases: readonly Lease[], { session }: How) {
    const { builds } = this.parts;
    await this.parts.leases.check(leases, session);
    const live = await builds.of(
      batches.map(({ projection }) => projection),
      session,
    );
    return { live, shared: await builds.reach(live, batches, session) };
  }
}
