import type { Binary, ClientSession, Collection, Db, UpdateFilter } from 'mongodb';
import { isDuplicateId } from '#libs/platform/mongodb/errors.js';
import type { TransactionPool } from '#libs/platform/mongodb/transaction.js';
import { retryOnDuplicateId } from '#libs/platform/mongodb/upsert.js';
import type { MongoCheckpoints } from './mongodb.checkpoints.js';
import { CommitConflict, type Lease } from './document-store.port.js';
import type { LeaseEnd } from './build-name.js';

interface HeldLease {
  readonly _id: string;
  /** Null for a released lease, whose `epoch` is the next holder's. */
  readonly holder: string | null;
  readonly epoch: number;
  readonly expiresAt: number;
  /** Written by every commit, so that a concurrent change of the holder conflicts. */
  readonly commits?: number;
  /** Sessions of the holder, whose open transactions are ended by a takeover. */
  readonly sessions?: readonly Binary[];
}

const FIRST_EPOCH = 1;
/** Exceeds the number of leases: a cursor returns only 101 in its first batch. */
const ALL_AT_ONCE = { batchSize: 1_000 };
const leaseOf = ({ _id: name, epoch }: HeldLease): Lease => ({ name, epoch });

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

export class MongoLeases {
  private readonly leases: Collection<HeldLease>;

  constructor(
    db: Db,
    private readonly transactions: TransactionPool,
    private readonly checkpoints: Pick<MongoCheckpoints, 'dissolve'>,
  ) {
    this.leases = db.collection('meta.leases', { writeConcern: { w: 'majority' } });
  }

  async take(names: readonly string[], holder: string, ttlMs: number, now: number): Promise<Lease[]> {
    await this.transactions.endUncertain();
    const update = this.taken(holder, now + ttlMs);
    const [requested, isHolder] = [{ _id: { $in: names } }, { holder, sessions: this.transactions.ids[0]! }];
    await this.leases.updateMany({ ...requested, $or: [{ holder: null }, isHolder] }, update);
    const leases = (await this.leases.find({ ...requested, ...isHolder }, ALL_AT_ONCE).toArray()).map(leaseOf);
    const others = names.filter(name => leases.every(lease => lease.name !== name));
    if (others.length === 0) return leases;
    const stored = await this.leases.find({ _id: { $in: others } }, ALL_AT_ONCE).toArray();
    if (stored.length < others.length) {
      await this.makeFree(others.filter(name => stored.every(({ _id }) => _id !== name)));
      return this.take(names, holder, ttlMs, now);
    }
    const expired = stored.filter(each => each.holder === holder || each.expiresAt <= now);
    return [...leases, ...(await this.takeOver(expired, holder, update, now))];
  }

  async seize(name: string, holder: string, ttlMs: number, now: number): Promise<Lease> {
    await this.transactions.endUncertain();
    const current = await this.leases.findOne({ _id: name });
    await this.endTransactionsOf(current);
    const update = this.taken(holder, now + ttlMs);
    const raised = { ...update, $inc: { epoch: 1 } };
    const options = { returnDocument: 'after' } as const;
    const { epoch } = await retryOnDuplicateId(
      async () =>
        (await this.leases.findOneAndUpdate({ _id: name, holder: null }, update, options)) ??
        this.leases.findOneAndUpdate({ _id: name, holder: { $ne: null } }, raised, { ...options, upsert: true }),
    );
    await this.takeEffect(current);
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

  /** Call in a commit's transaction or before a repeatable write. Throws `CommitConflict`. */
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
   * Aborts open transactions of other holders: a live one retries, and a killed one would block `disturb` until the
   * server ends it.
   */
  async interrupt(): Promise<void> {
    const others = { holder: { $ne: null }, sessions: { $ne: this.transactions.ids[0]! } };
    for await (const lease of this.leases.find(others)) await this.endTransactionsOf(lease);
  }

  async disturb(session: ClientSession): Promise<void> {
    await this.leases.updateMany({}, { $inc: { commits: 1 } }, { session });
  }

  private async makeFree(names: readonly string[]): Promise<void> {
    const free = names.map(_id => ({ _id, holder: null, epoch: FIRST_EPOCH, expiresAt: 0 }));
    await this.leases.insertMany(free, { ordered: false }).catch(ignoreTaken);
  }

  private async takeOver(expired: readonly HeldLease[], holder: string, taken: UpdateFilter<HeldLease>, now: number) {
    if (expired.length === 0) return [];
    await this.endTransactionsOf(...expired);
    const leases = await Promise.all(expired.map(each => this.takeFrom(each, holder, taken, now)));
    await this.takeEffect(...expired);
    return leases.flatMap(lease => lease ?? []);
  }

  private async takeFrom(
    { _id, holder: from }: HeldLease,
    holder: string,
    taken: UpdateFilter<HeldLease>,
    now: number,
  ) {
    const isOwn = from === holder;
    const filter = { _id, ...(isOwn ? { holder } : { holder: { $ne: null }, expiresAt: { $lte: now } }) };
    const change = isOwn ? taken : { ...taken, $inc: { epoch: 1 } };
    const held = await this.leases.findOneAndUpdate(filter, change, { returnDocument: 'after' });
    return held && leaseOf(held);
  }

  /** Call after acquiring leases: a former holder may have left a new transaction open. */
  private async takeEffect(...before: readonly (HeldLease | null)[]): Promise<void> {
    await this.endTransactionsOf(...before);
    await this.transactions.run(session => this.checkpoints.dissolve(session));
  }

  private async endTransactionsOf(...all: readonly (HeldLease | null)[]): Promise<void> {
    const sessions = all.flatMap(lease => (lease?.holder ? (lease.sessions ?? []) : []));
    const ids = new Map(sessions.map(id => [id.toString('hex'), id]));
    await this.transactions.endAll([...ids.values()]);
  }

  private taken(holder: string, expiresAt: number): UpdateFilter<HeldLease> {
    return { $set: { holder, expiresAt, sessions: this.transactions.ids } };
  }
}
