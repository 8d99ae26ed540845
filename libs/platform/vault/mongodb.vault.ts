import { Binary, type Collection } from 'mongodb';
import { LAST_CHARACTER, MongoConnection } from '#libs/platform/mongodb/connection.js';
import { retryOnDuplicateId } from '#libs/platform/mongodb/upsert.js';
import type { VaultEntry, Vault } from './port.js';

interface KeyDocument {
  readonly _id: string;
  readonly value: Binary | null;
}

/** Vault in one collection. Reads and writes use the majority, so that a failover cannot take back a key in use. */
export class MongoVault implements Vault {
  private readonly keys: Collection<KeyDocument>;

  private constructor(private readonly connection: MongoConnection) {
    this.keys = connection.db.collection('keys', {
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority', journal: true },
    });
  }

  static async open(url: string): Promise<MongoVault> {
    return new MongoVault(await MongoConnection.open(url, 'The vault'));
  }

  get(name: string): Promise<VaultEntry | undefined> {
    return this.connection.run(async () => {
      const key = await this.keys.findOne({ _id: name });
      return key ? toVaultEntry(key) : undefined;
    });
  }

  getMany(names: readonly string[]): Promise<ReadonlyMap<string, VaultEntry>> {
    return this.connection.run(async () => {
      const documents = await this.keys.find({ _id: { $in: [...names] } }).toArray();
      return new Map(documents.map(key => [key._id, toVaultEntry(key)]));
    });
  }

  /** A write that changes nothing still waits until the majority has the value. */
  putIfAbsent(name: string, value: Uint8Array): Promise<VaultEntry> {
    const update = { $setOnInsert: { value: new Binary(Buffer.from(value)) } };
    const upsert = () => this.keys.findOneAndUpdate({ _id: name }, update, { upsert: true, returnDocument: 'after' });
    return this.connection.run(async () => toVaultEntry(await retryOnDuplicateId(upsert)));
  }

  async replace(name: string, value: Uint8Array): Promise<void> {
    const binary = new Binary(Buffer.from(value));
    const update = () => this.keys.updateOne({ _id: name }, { $setOnInsert: { value: binary } }, { upsert: true });
    await this.connection.run(async () => {
      await retryOnDuplicateId(update);
      await this.keys.updateOne({ _id: name, value: { $ne: null } }, { $set: { value: binary } });
    });
  }

  async destroy(name: string): Promise<void> {
    const writeTombstone = () => this.keys.updateOne({ _id: name }, { $set: { value: null } }, { upsert: true });
    await this.connection.run(() => retryOnDuplicateId(writeTombstone));
  }

  list(prefix: string, limit: number, after = ''): Promise<string[]> {
    const names = { $gte: prefix, $lt: prefix + LAST_CHARACTER, $gt: after };
    return this.connection.run(async () => {
      const documents = this.keys.find({ _id: names, value: { $ne: null } }, { projection: { _id: 1 } });
      return (await documents.sort({ _id: 1 }).limit(limit).toArray()).map(key => key._id);
    });
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** Copies, so that a caller may wipe the value. */
function toVaultEntry({ value }: KeyDocument): VaultEntry {
  return value === null ? 'destroyed' : new Uint8Array(value.value());
}
