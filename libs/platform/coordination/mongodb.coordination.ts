import type { Collection } from 'mongodb';
import { MongoConnection } from '#libs/platform/mongodb/connection.js';
import { retryOnDuplicateId, tryInsert } from '#libs/platform/mongodb/upsert.js';
import type { Coordination, Count } from './port.js';

interface CoordinationEntry<Value> {
  readonly _id: string;
  readonly value: Value;
  /** Unix ms of the caller's clock. A number, because the server would expire a date by its own clock. */
  readonly expiresAt: number;
  readonly endsAt: Date;
}

const SERVER_EXPIRY_SECONDS = 3_600;
const expiryFields = (expiresAt: number) => ({ expiresAt, endsAt: new Date(expiresAt) });

/** Shared state in one collection. Writes wait neither for the disk nor for other members. */
export class MongoCoordination implements Coordination {
  private readonly entries: Collection<CoordinationEntry<string>>;
  private readonly counters: Collection<CoordinationEntry<number>>;

  private constructor(private readonly connection: MongoConnection) {
    this.entries = connection.db.collection('entries', { writeConcern: { w: 1 } });
    this.counters = connection.db.collection('entries', { writeConcern: { w: 1 } });
  }

  static async open(url: string): Promise<MongoCoordination> {
    const coordination = new MongoCoordination(await MongoConnection.open(url, 'The shared state'));
    await coordination.connection.run(() => coordination.entries.createIndex({ expiresAt: 1 }));
    const expiry = { expireAfterSeconds: SERVER_EXPIRY_SECONDS };
    await coordination.connection.run(() => coordination.entries.createIndex({ endsAt: 1 }, expiry));
    return coordination;
  }

  get(key: string, now: number): Promise<string | undefined> {
    return this.connection.run(() => this.value(key, now));
  }

  /** Replaces an expired entry. The upsert fails with a duplicate id if the entry is valid. */
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
        const existing = await this.value(key, now);
        if (existing === undefined) await put();
        return existing;
      }),
    );
  }

  compareAndSet(key: string, expected: string, value: string | null, expiresAt: number, now: number): Promise<boolean> {
    const existing = { _id: key, value: expected, ...validAt(now) };
    return this.connection.run(async () => {
      if (value === null) return (await this.entries.deleteOne(existing)).deletedCount === 1;
      return (
        (await this.entries.updateOne(existing, { $set: { value, ...expiryFields(expiresAt) } })).matchedCount === 1
      );
    });
  }

  add(key: string, amount: number, expiresAt: number, now: number): Promise<Count> {
    const options = { returnDocument: 'after' } as const;
    const increment = { $inc: { value: amount }, $min: expiryFields(expiresAt) };
    const restart = { $set: { value: amount, ...expiryFields(expiresAt) } };
    const upsert = { ...options, upsert: true };
    return this.connection.run(async () => {
      const counter = await retryOnDuplicateId(
        async () =>
          (await this.counters.findOneAndUpdate({ _id: key, ...validAt(now) }, increment, options)) ??
          (await this.counters.findOneAndUpdate({ _id: key, ...expiredAt(now) }, restart, upsert)),
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
      const expired = await this.entries.find(expiredAt(now), { projection: { _id: 1 }, limit }).toArray();
      const ids = expired.map(entry => entry._id);
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
