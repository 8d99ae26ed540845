import type { Binary, ClientSession, Collection, Db, UpdateFilter } from 'mongodb';
import { isIdTaken } from '#libs/mongodb/failure.js';
import type { Transactions } from '#libs/mongodb/transactions.js';
import { again } from '#libs/mongodb/upsert.js';
import type { MongoPlaces } from './mongodb.places.js';
import { CommitConflict } from './port.js';
import type { Lease } from './port.js';

interface Held {
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

/** Who may write. */
export class MongoLeases {
  private readonly leases: Collection<Held>;

  constructor(
    db: Db,
    private readonly transactions: Transactions,
    /** Is told of leases that were taken from somebody, behind that: commits that rest on them look again. */
    private readonly places: Pick<MongoPlaces, 'unsettle'>,
  ) {
    this.leases = db.collection('meta.leases', { writeConcern: { w: 'majority' } });
  }

  async take(name: string, holder: string, ttlMs: number, now: number): Promise<Lease | null> {
    await this.transactions.settle();
    const taken = this.taken(holder, now + ttlMs);
    const free = { _id: name, $or: [{ holder: null }, { holder, sessions: this.transactions.ids[0] }] };
    const held = await this.leases.findOneAndUpdate(free, taken, { returnDocument: 'after' });
    return held ? { name, epoch: held.epoch } : this.takeOver(name, holder, taken, now);
  }

  async seize(name: string, holder: string, ttlMs: number, now: number): Promise<Lease> {
    await this.transactions.settle();
    await this.endTransactionsOf(await this.leases.findOne({ _id: name }));
    const taken = this.taken(holder, now + ttlMs);
    const raised = { ...taken, $inc: { epoch: 1 } };
    const options = { returnDocument: 'after' } as const;
    const { epoch } = await again(
      async () =>
        (await this.leases.findOneAndUpdate({ _id: name, holder: null }, taken, options)) ??
        this.leases.findOneAndUpdate({ _id: name, holder: { $ne: null } }, raised, { ...options, upsert: true }),
    );
    await this.places.unsettle();
    return { name, epoch };
  }

  async release({ name, epoch }: Lease): Promise<void> {
    await this.leases.updateOne(
      { _id: name, epoch, holder: { $ne: null } },
      { $set: { holder: null }, $inc: { epoch: 1 } },
    );
  }

  /** Inside the transaction of a commit, or in front of a write that may be repeated. Throws `CommitConflict`. */
  async check(leases: readonly Lease[], session?: ClientSession): Promise<void> {
    await this.change(leases, { $inc: { commits: 1 } }, session);
  }

  /** Inside a transaction: gives leases back. Throws `CommitConflict`. */
  async giveBack(leases: readonly Lease[], session: ClientSession): Promise<void> {
    await this.change(leases, { $set: { holder: null }, $inc: { epoch: 1, commits: 1 } }, session);
    await this.places.unsettle(session);
  }

  private async change(leases: readonly Lease[], update: UpdateFilter<Held>, session?: ClientSession): Promise<void> {
    const held = leases.map(({ name, epoch }) => ({ _id: name, epoch, holder: { $ne: null } }));
    const { matchedCount } = await this.leases.updateMany({ $or: held }, update, { session });
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

  /**
   * Where it is new, its holder's time is over, or the same holder had it in an earlier life; a holder whose time is
   * not over is in the way by the id.
   */
  private async takeOver(name: string, holder: string, taken: UpdateFilter<Held>, now: number): Promise<Lease | null> {
    const standing = await this.leases.findOne({ _id: name });
    const isOwn = standing?.holder === holder;
    if (standing && !isOwn && standing.expiresAt > now) return null;
    await this.endTransactionsOf(standing);
    const over = { _id: name, ...(isOwn ? { holder } : { holder: { $ne: null }, expiresAt: { $lte: now } }) };
    const change = isOwn ? taken : { ...taken, $inc: { epoch: 1 } };
    try {
      const held = await this.leases.findOneAndUpdate(over, change, { upsert: !isOwn, returnDocument: 'after' });
      if (standing) await this.places.unsettle();
      return held && { name, epoch: held.epoch };
    } catch (error) {
      if (isIdTaken(error)) return null;
      throw error;
    }
  }

  /** In front of the write that takes the lease, which would wait for a commit that nobody ends any more. */
  private async endTransactionsOf(held: Held | null): Promise<void> {
    if (held?.holder) await this.transactions.endAll(held.sessions ?? []);
  }

  private taken(holder: string, expiresAt: number): UpdateFilter<Held> {
    return { $set: { holder, expiresAt, sessions: this.transactions.ids } };
  }
}
