import type { ClientSession, Collection, Db, UpdateFilter } from 'mongodb';
import { isIdTaken } from '#libs/mongodb/failure.js';
import { again } from '#libs/mongodb/upsert.js';
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
}

/** Who may write. */
export class MongoLeases {
  private readonly leases: Collection<Held>;

  constructor(db: Db) {
    this.leases = db.collection('meta.leases', { writeConcern: { w: 'majority' } });
  }

  async take(name: string, holder: string, ttlMs: number, now: number): Promise<Lease | null> {
    const taken = { $set: { holder, expiresAt: now + ttlMs } };
    const options = { returnDocument: 'after' } as const;
    const free = await this.leases.findOneAndUpdate({ _id: name, holder: { $in: [holder, null] } }, taken, options);
    if (free) return { name, epoch: free.epoch };
    return this.takeOver(name, { ...taken, $inc: { epoch: 1 } }, now);
  }

  async seize(name: string, holder: string, ttlMs: number, now: number): Promise<Lease> {
    const taken = { $set: { holder, expiresAt: now + ttlMs } };
    const raised = { ...taken, $inc: { epoch: 1 } };
    const options = { returnDocument: 'after' } as const;
    const { epoch } = await again(
      async () =>
        (await this.leases.findOneAndUpdate({ _id: name, holder: null }, taken, options)) ??
        this.leases.findOneAndUpdate({ _id: name, holder: { $ne: null } }, raised, { ...options, upsert: true }),
    );
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
  }

  private async change(leases: readonly Lease[], update: UpdateFilter<Held>, session?: ClientSession): Promise<void> {
    const held = leases.map(({ name, epoch }) => ({ _id: name, epoch, holder: { $ne: null } }));
    const { matchedCount } = await this.leases.updateMany({ $or: held }, update, { session });
    if (matchedCount === leases.length) return;
    throw new CommitConflict(
      `A lease is gone: ${leases.map(({ name, epoch }) => `${name} of epoch ${epoch}`).join()}.`,
    );
  }

  /** Makes every commit of this moment start over. */
  async disturb(session: ClientSession): Promise<void> {
    await this.leases.updateMany({}, { $inc: { commits: 1 } }, { session });
  }

  /** Where it is new, or its holder's time is over; a holder whose time is not is in the way by the id. */
  private async takeOver(name: string, change: object, now: number): Promise<Lease | null> {
    const over = { _id: name, holder: { $ne: null }, expiresAt: { $lte: now } };
    try {
      const held = await this.leases.findOneAndUpdate(over, change, { upsert: true, returnDocument: 'after' });
      return held && { name, epoch: held.epoch };
    } catch (error) {
      if (isIdTaken(error)) return null;
      throw error;
    }
  }
}
