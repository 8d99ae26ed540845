import type { Collection as Documents, FindCursor } from 'mongodb';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, Stored } from '#libs/kernel/projection.js';
import type { MongoConnection } from '#libs/platform/mongodb/connection.js';
import type { MongoBuilds, StoredDocument } from './mongodb.builds.js';
import { meetIn } from './mongodb.meetings.js';
import { cursorOf, idsOf, SHOWN, type Stamp, STAMP, stored } from './mongodb.questions.js';
import type { Collection, Meeting, Met, Range, Stamps } from './port.js';
import { checkIds, checkMeeting, checkRange } from './range.js';

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
    const found = this.among(ids);
    return ids.length === 0 ? [] : this.read(found);
  }

  async find(range: Range): Promise<Stored<D>[]> {
    return this.read(this.cursorOf(range));
  }

  async stamps(asked: Range | readonly string[]): Promise<Stamps> {
    const { buildName: build } = this;
    const found = 'index' in asked ? this.cursorOf(asked) : this.among(asked);
    const of = await this.connection.run(() => found.project<Stamp>(STAMP).toArray());
    return { build, of: of.map(({ _id: id, position }) => ({ id, position })) };
  }

  async meet(meeting: Meeting): Promise<Met<D>> {
    const fields = this.fieldsOf(meeting.index);
    checkMeeting(meeting, fields);
    return this.connection.run(() => meetIn<D>(this.documents, meeting, fields));
  }

  /** Ids are never empty, so the empty text stands before the first. */
  async scan(limit: number, after = ''): Promise<Stored<D>[]> {
    return this.read(this.page({ _id: { $gt: after } }, limit));
  }

  checkpoint(): Promise<Position> {
    return this.connection.run(() => this.builds.reached(this.buildName));
  }

  private fieldsOf(index: string): readonly string[] | undefined {
    const { indexes } = this.projection;
    return Object.hasOwn(indexes, index) ? indexes[index] : undefined;
  }

  private read(found: FindCursor<StoredDocument>): Promise<Stored<D>[]> {
    return this.connection.run(async () => (await found.toArray()).map(stored<D>));
  }

  private cursorOf(range: Range) {
    const fields = this.fieldsOf(range.index);
    checkRange(range, fields);
    return cursorOf(this.documents, range, fields, { ids: idsOf(this.projection, range, fields) });
  }

  private among(ids: readonly string[]) {
    checkIds(ids);
    return this.page({ _id: { $in: [...ids] } }, ids.length);
  }

  private page(filter: object, limit: number) {
    return this.documents.find(filter, SHOWN).sort({ _id: 1 }).limit(limit).batchSize(limit);
  }
}
