import type { Collection } from 'mongodb';
import { MongoConnection } from '#libs/platform/mongodb/connection.js';
import { retryOnDuplicateId, tryInsert } from '#libs/platform/mongodb/upsert.js';
import type { Coordination, Count } from './port.js';

interface CoordinationEntry<Value> {
  readonly _id: string;
  readonly value: Value;
  /** Unix ms by the caller's clock. A number: the server's own expiry of dates would follow the server's clock. */
  readonly expiresAt: number;
  /** The same for the server, which removes what no process has swept for a while. */
  readonly endsAt: Date;
}

/** Longer than clocks differ: nothing may go early by the server's. */
const UNSWEPT_SECONDS = 3_600;
/** An end for the callers, and for the server. */
const expiryFields = (expiresAt: number) => ({ expiresAt, endsAt: new Date(expiresAt) });

/** Short-lived state as one collection, not waited for until it is on a disk or on another member. */
export class MongoCoordination implements Coordination {
  private readonly entries: Collection<CoordinationEntry<string>>;
  /** The same collection, typed for the entries that are added to. */
  private readonly counters: Collection<CoordinationEntry<number>>;

  private constructor(private readonly connection: MongoConnection) {
    this.entries = connection.db.collection('entries', { writeConcern: { w: 1 } });
    this.counters = connection.db.collection('entries', { writeConcern: { w: 1 } });
  }

  /** `url` names the database. Throws `Unavailable`, or a sentence about a server that cannot be used. */
  static async open(url: string): Promise<MongoCoordination> {
    const opened = new MongoCoordination(await MongoConnection.open(url, 'The shared state'));
    await opened.connection.run(() => opened.entries.createIndex({ expiresAt: 1 }));
    const expiry = { expireAfterSeconds: UNSWEPT_SECONDS };
    await opened.connection.run(() => opened.entries.createIndex({ endsAt: 1 }, expiry));
    return opened;
  }

  get(key: string, now: number): Promise<string | undefined> {
    return this.connection.run(() => this.value(key, now));
  }

  /** Takes the place of an entry that has ended; one that has not is in the way of the new one by its id. */
  putIfAbsent(key: string, value: string, expiresAt: number, now: number): Promise<string | undefined> {
    const put = () =>
      this.entries.updateOne(
        { _id: key, ...expiredAt(now) },
        { $set: { value, ...expiryFields(expiresAt) } },
        { upsert: true },
      );
    return this.connection.run(() =>
      retryOnDuplicateId(async () => {
        if (await tryInsert(put)) return undefined;
        const standing = await this.value(key, now);
        // What stood in the way is gone by now.
        if (standing === undefined) await put();
        return standing;
      }),
    );
  }

  compareAndSet(key: string, expected: string, value: string | null, expiresAt: number, now: number): Promise<boolean> {
    const standing = { _id: key, value: expected, ...validAt(now) };
    return this.connection.run(async () => {
      if (value === null) return (await this.entries.deleteOne(standing)).deletedCount === 1;
      return (
        (await this.entries.updateOne(standing, { $set: { value, ...expiryFields(expiresAt) } })).matchedCount === 1
      );
    });
  }

  add(key: string, amount: number, expiresAt: number, now: number): Promise<Count> {
    const options = { returnDocument: 'after' } as const;
    const more = { $inc: { value: amount }, $min: expiryFields(expiresAt) };
    const anew = { $set: { value: amount, ...expiryFields(expiresAt) } };
    const upsert = { ...options, upsert: true };
    return this.connection.run(async () => {
      const counter = await retryOnDuplicateId(
        async () =>
          (await this.counters.findOneAndUpdate({ _id: key, ...validAt(now) }, more, options)) ??
          (await this.counters.findOneAndUpdate({ _id: key, ...expiredAt(now) }, anew, upsert)),
      );
      return toCount(counter);
    });
  }

  getCount(key: string, now: number): Promise<Count | undefined> {
    return this.connection.run(async () => {
      const counter = await this.counters.findOne({ _id: key, ...validAt(now) });
      return counter ? toCount(counter) : undefined;
    });
  }

  sweep(now: number, limit: number): Promise<number> {
    return this.connection.run(async () => {
      const ended = await this.entries.find(expiredAt(now), { projection: { _id: 1 }, limit }).toArray();
      const ids = ended.map(entry => entry._id);
      return (await this.entries.deleteMany({ _id: { $in: ids }, ...expiredAt(now) })).deletedCount;
    });
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async value(key: string, now: number): Promise<string | undefined> {
    const entry = await this.entries.findOne({ _id: key, ...validAt(now) });
    return entry ? String(entry.value) : undefined;
  }
}

const toCount = ({ value, expiresAt }: CoordinationEntry<number>): Count => ({ sum: Number(value), endsAt: expiresAt });
const validAt = (now: number) => ({ expiresAt: { $gt: now } });
const expiredAt = (now: number) => ({ expiresAt: { $lte: now } });
