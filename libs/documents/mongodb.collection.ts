import type { Collection as Documents } from 'mongodb';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, Stored } from '#libs/kernel/projection.js';
import { LAST_CHARACTER, type MongoConnection } from '#libs/mongodb/connection.js';
import type { MongoBuilds, StoredDocument } from './mongodb.builds.js';
import { indexName, keyOf, pathsOf } from './mongodb.index-key.js';
import type { Collection, Range } from './port.js';
import { checkIds, checkRange, listAt } from './range.js';

const SHOWN = { projection: { keys: 0 } } as const;

/** Reads from whichever build is the live one. */
export class MongoCollection<D extends JsonObject> implements Collection<D> {
  private documents!: Documents<StoredDocument>;

  constructor(
    private readonly connection: MongoConnection,
    private readonly builds: MongoBuilds,
    readonly projection: Projection<D>,
    build: string,
  ) {
    this.follow(build);
  }

  /** The build that it reads. */
  get buildName(): string {
    return this.documents.collectionName;
  }

  /** The live build is this one from now on. */
  follow(build: string): void {
    this.documents = this.connection.db.collection(build);
  }

  get(id: string): Promise<Stored<D> | undefined> {
    return this.connection.run(async () => {
      const found = await this.documents.findOne({ _id: id }, SHOWN);
      return found ? stored<D>(found) : undefined;
    });
  }

  async getMany(ids: readonly string[]): Promise<Stored<D>[]> {
    checkIds(ids);
    if (ids.length === 0) return [];
    return this.page({ _id: { $in: [...ids] } }, ids.length);
  }

  async find(range: Range): Promise<Stored<D>[]> {
    const { indexes } = this.projection;
    const fields = Object.hasOwn(indexes, range.index) ? indexes[range.index] : undefined;
    checkRange(range, fields);
    return this.connection.run(async () => (await cursorOf(this.documents, range, fields).toArray()).map(stored<D>));
  }

  /** Ids are never empty, so the empty text stands before the first. */
  async scan(limit: number, after = ''): Promise<Stored<D>[]> {
    return this.page({ _id: { $gt: after } }, limit);
  }

  checkpoint(): Promise<Position> {
    return this.connection.run(() => this.builds.checkpoint(this.documents.collectionName));
  }

  private page(filter: object, limit: number): Promise<Stored<D>[]> {
    const found = this.documents.find(filter, SHOWN).sort({ _id: 1 }).limit(limit).batchSize(limit);
    return this.connection.run(async () => (await found.toArray()).map(stored<D>));
  }
}

/** The question as one range of one index, which is named, so that a question it cannot answer fails. */
export function cursorOf(documents: Documents<StoredDocument>, range: Range, fields: readonly string[]) {
  const paths = pathsOf(fields);
  const path = paths.at(-1)!;
  const order = range.order === 'asc' ? 1 : -1;
  const compared = listAt(fields) + 1;
  const text = paths.length > 1 && { [paths[0]!]: keyOf(range.equals.slice(0, compared)) };
  const behind = { ...range, equals: range.equals.slice(compared) };
  return documents
    .find({ ...text, [path]: boundsOf(behind) }, SHOWN)
    .hint(indexName(fields))
    .sort({ [path]: order })
    .limit(range.limit)
    .batchSize(range.limit);
}

function boundsOf({ equals, after, order }: Range): object {
  const prefix = keyOf(equals);
  const whole = { $gte: prefix, $lt: prefix + LAST_CHARACTER };
  if (!after) return whole;
  const last = prefix + keyOf(after.slice(0, -1)) + String(after.at(-1));
  return order === 'asc' ? { $gt: last, $lt: whole.$lt } : { $gte: prefix, $lt: last };
}

function stored<D>({ _id, position, body }: StoredDocument): Stored<D> {
  return { id: _id, position, body: body as D };
}
