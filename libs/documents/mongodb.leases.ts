import type { Binary, ClientSession, Collection, Db, UpdateFilter } from 'mongodb';
import { isDuplicateId } from '#libs/platform/mongodb/errors.js';
import type { TransactionPool } from '#libs/platform/mongodb/transaction-pool.js';
import { retryOnDuplicateId } from '#libs/platform/mongodb/upsert.js';
import type { MongoCheckpoints } from './mongodb.checkpoints.js';
import { CommitConflict } from './document-store.port.js';
import type { Lease } from './document-store.port.js';
import type { LeaseEnd } from './unused-builds.js';

interface HeldLease {
  readonly _id: string;
  /** Null where it was given back: then `epoch` is the next holder's. */
  readonly holder: string | null;
  readonly epoch: number;
  /** Unix ms by the caller's clock. */
  readonly expiresAt: number;
  /** Written by every commit, so that one at the same moment as a change of hands is found out. */
  readonly commits?: number;
  /** Those of the holder's transactions: whoever takes the lease over ends what they have left open. */
  readonly sessions?: readonly Binary[];
}

const FIRST_EPOCH = 1;
/** More than there are: a cursor hands out 101 first. */
const ALL_AT_ONCE = { batchSize: 1_000 };
const leaseOf = ({ _id: name, epoch }: HeldLease): Lease => ({ name, epoch });

/** What finds leases that are still held, in few questions: those of one epoch together. */
function buildHeldLeaseFilters(leases: readonly Lease[]) {
  const epochs = [...new Set(leases.map(({ epoch }) => epoch))];
  return epochs.map(epoch => ({
    _id: { $in: leases.filter(each => each.epoch === epoch).map(({ name }) => name) },
    epoch,
    holder: { $ne: null },
  }));
}

function ignoreTaken(error: unknown): void {
  if (!isDuplicateId(error)) throw error;
}

/** Who may write. */
export class MongoLeases {
  private readonly leases: Collection<HeldLease>;

  constructor(
    db: Db,
    private readonly transactions: TransactionPool,
    /** Dissolved after leases changed hands: commits that rest on them read again. */
    private readonly checkpoints: Pick<MongoCheckpoints, 'dissolve'>,
  ) {
    this.leases = db.collection('meta.leases', { writeConcern: { w: 'majority' } });
  }

  /** What is free or its own in one write; what somebody else has had, each as one alone. */
  async take(names: readonly string[], holder: string, ttlMs: number, now: number): Promise<Lease[]> {
    await this.transactions.endUncertain();
    const taken = this.taken(holder, now + ttlMs);
    const [asked, own] = [{ _id: { $in: names } }, { holder, sessions: this.transactions.ids[0]! }];
    await this.leases.updateMany({ ...asked, $or: [{ holder: null }, own] }, taken);
    const held = (await this.leases.find({ ...asked, ...own }, ALL_AT_ONCE).toArray()).map(leaseOf);
    const others = names.filter(name => held.every(lease => lease.name !== name));
    if (others.length === 0) return held;
    const known = await this.leases.find({ _id: { $in: others } }, ALL_AT_ONCE).toArray();
    if (known.length < others.length) {
      await this.makeFree(others.filter(name => known.every(({ _id }) => _id !== name)));
      return this.take(names, holder, ttlMs, now);
    }
    const over = known.filter(each => each.holder === holder || each.expiresAt <= now);
    return [...held, ...(await this.takeOver(over, holder, taken, now))];
  }

  async seize(name: string, holder: string, ttlMs: number, now: number): Promise<Lease> {
    await this.transactions.endUncertain();
    const standing = await this.leases.findOne({ _id: name });
    await this.endTransactionsOf(standing);
    const taken = this.taken(holder, now + ttlMs);
    const raised = { ...taken, $inc: { epoch: 1 } };
    const options = { returnDocument: 'after' } as const;
    const { epoch } = await retryOnDuplicateId(
      async () =>
        (await this.leases.findOneAndUpdate({ _id: name, holder: null }, taken, options)) ??
        this.leases.findOneAndUpdate({ _id: name, holder: { $ne: null } }, raised, { ...options, upsert: true }),
    );
    await this.takeEffect(standing);
    return { name, epoch };
  }

  async ends(session?: ClientSession): Promise<LeaseEnd[]> {
    const all = await this.leases.find({}, { ...ALL_AT_ONCE, session }).toArray();
    return all.map(({ _id: name, expiresAt: endsAt }) => ({ name, endsAt }));
  }

  async release(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    await this.leases.updateMany(
      { $or: buildHeldLeaseFilters(leases) },
      { $set: { holder: null }, $inc: { epoch: 1 } },
    );
  }

  /** Inside the transaction of a commit, or in front of a write that may be repeated. Throws `CommitConflict`. */
  async check(leases: readonly Lease[], session?: ClientSession): Promise<void> {
    const { matchedCount } = await this.leases.updateMany(
      { $or: buildHeldLeaseFilters(leases) },
      { $inc: { commits: 1 } },
      { session },
    );
    if (matchedCount === leases.length) return;
    throw new CommitConflict(
      `A lease is gone: ${leases.map(({ name, epoch }) => `${name} of epoch ${epoch}`).join()}.`,
    );
  }

  /**
   * Ends the transactions that other holders have open: one that is alive begins its own again, and what a killed one
   * has left would be in the way of `disturb` until the server ends it.
   */
  async interrupt(): Promise<void> {
    const others = { holder: { $ne: null }, sessions: { $ne: this.transactions.ids[0]! } };
    for await (const held of this.leases.find(others)) await this.endTransactionsOf(held);
  }

  /** Makes every commit of this moment start over. */
  async disturb(session: ClientSession): Promise<void> {
    await this.leases.updateMany({}, { $inc: { commits: 1 } }, { session });
  }

  /** Leases that nobody has had: somebody else may make them at the same moment. */
  private async makeFree(names: readonly string[]): Promise<void> {
    const free = names.map(_id => ({ _id, holder: null, epoch: FIRST_EPOCH, expiresAt: 0 }));
    await this.leases.insertMany(free, { ordered: false }).catch(ignoreTaken);
  }

  /** Whose time is over, or which the same holder had in an earlier life: who has them is told by the next commit. */
  private async takeOver(standing: readonly HeldLease[], holder: string, taken: UpdateFilter<HeldLease>, now: number) {
    if (standing.length === 0) return [];
    await this.endTransactionsOf(...standing);
    const leases = await Promise.all(standing.map(each => this.takeFrom(each, holder, taken, now)));
    await this.takeEffect(...standing);
    return leases.flatMap(lease => lease ?? []);
  }

  /** A holder whose time is not over any more by now keeps it. */
  private async takeFrom(
    { _id, holder: from }: HeldLease,
    holder: string,
    taken: UpdateFilter<HeldLease>,
    now: number,
  ) {
    const isOwn = from === holder;
    const over = { _id, ...(isOwn ? { holder } : { holder: { $ne: null }, expiresAt: { $lte: now } }) };
    const change = isOwn ? taken : { ...taken, $inc: { epoch: 1 } };
    const held = await this.leases.findOneAndUpdate(over, change, { returnDocument: 'after' });
    return held && leaseOf(held);
  }

  /** Behind the write that took leases. Whoever had them may have begun a commit anew meanwhile, and left it open. */
  private async takeEffect(...before: readonly (HeldLease | null)[]): Promise<void> {
    await this.endTransactionsOf(...before);
    await this.transactions.run(session => this.checkpoints.dissolve(session));
  }

  /** In front of a write that would wait for a commit that nobody ends any more. */
  private async endTransactionsOf(...all: readonly (HeldLease | null)[]): Promise<void> {
    const sessions = all.flatMap(held => (held?.holder ? (held.sessions ?? []) : []));
    const each = new Map(sessions.map(id => [id.toString('hex'), id]));
    await this.transactions.endAll([...each.values()]);
  }

  private taken(holder: string, expiresAt: number): UpdateFilter<HeldLease> {
    return { $set: { holder, expiresAt, sessions: this.transactions.ids } };
  }
}
