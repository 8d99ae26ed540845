import type { Collection as Documents, FindCursor } from 'mongodb';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import type { MongoConnection } from '#libs/platform/mongodb/connection.js';
import type { MongoBuilds, MongoDocument } from './mongodb.builds.js';
import { intersectTerms } from './mongodb.term-intersection.js';
import { openCursor, idsOf, WITHOUT_KEYS, type Stamp, STAMP, toStoredDocument } from './mongodb.queries.js';
import type {
  Collection,
  TermIntersection,
  IntersectionPage,
  IndexRange,
  DocumentStamps,
} from './document-store.port.js';
import { checkIds, checkIntersection, checkRange } from './index-range.js';

export class MongoCollection<D extends JsonObject> implements Collection<D> {
  private documents!: Documents<MongoDocument>;

  constructor(
    private readonly connection: MongoConnection,
    private readonly builds: MongoBuilds,
    readonly projection: Projection<D>,
    build: string,
  ) {
    this.follow(build);
  }

  get buildName(): string {
    return this.documents.collectionName;
  }

  follow(build: string): void {
    this.documents = this.connection.db.collection(build);
  }

  get(id: string): Promise<StoredDocument<D> | undefined> {
    return this.connection.run(async () => {
      const document = await this.documents.findOne({ _id: id }, WITHOUT_KEYS);
      return document ? toStoredDocument<D>(document) : undefined;
    });
  }

  async getMany(ids: readonly string[]): Promise<StoredDocument<D>[]> {
    const cursor = this.among(ids);
    return ids.length === 0 ? [] : this.read(cursor);
  }

  async find(range: IndexRange): Promise<StoredDocument<D>[]> {
    return this.read(this.cursorOf(range));
  }

  async stamps(query: IndexRange | readonly string[]): Promise<DocumentStamps> {
    const { buildName: build } = this;
    const cursor = 'index' in query ? this.cursorOf(query) : this.among(query);
    const of = await this.connection.run(() => cursor.project<Stamp>(STAMP).toArray());
    return { build, of: of.map(({ _id: id, position }) => ({ id, position })) };
  }

  async intersect(query: TermIntersection): Promise<IntersectionPage<D>> {
    const fields = this.fieldsOf(query.index);
    checkIntersection(query, fields);
    return this.connection.run(() => intersectTerms<D>(this.documents, query, fields));
  }

  /** Ids are never empty, so the empty string sorts before the first. */
  async scan(limit: number, after = ''): Promise<StoredDocument<D>[]> {
    return this.read(this.page({ _id: { $gt: after } }, limit));
  }

  checkpoint(): Promise<Position> {
    return this.connection.run(() => this.builds.reached(this.buildName));
  }

  private fieldsOf(index: string): readonly string[] | undefined {
    const { indexes } = this.projection;
    return Object.hasOwn(indexes, index) ? indexes[index] : undefined;
  }

  private read(cursor: FindCursor<MongoDocument>): Promise<StoredDocument<D>[]> {
    return this.connection.run(async () => (await cursor.toArray()).map(toStoredDocument<D>));
  }

  private cursorOf(range: IndexRange) {
    const fields = this.fieldsOf(range.index);
    checkRange(range, fields);
    return openCursor(this.documents, range, fields, { ids: idsOf(this.projection, range, fields) });
  }

  private among(ids: readonly string[]) {
    checkIds(ids);
    return this.page({ _id: { $in: [...ids] } }, ids.length);
  }

  private page(filter: object, limit: number) {
    return this.documents.find(filter, WITHOUT_KEYS).sort({ _id: 1 }).limit(limit).batchSize(limit);
  }
}
