import type { Collection as Documents, FindCursor } from 'mongodb';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import { LAST_CHARACTER, type MongoConnection } from '#libs/platform/mongodb/connection.js';
import type {
  Collection,
  DocumentStamps,
  IndexRange,
  IntersectionPage,
  PatternEntries,
  PatternQuery,
  TermIntersection,
  TextQuery,
} from './document-store.port.js';
import { checkIds, checkIntersection, checkRange, checkPattern, fieldName, listFieldPosition } from './index-range.js';
import type { MongoBuilds, MongoDocument } from './mongodb.builds.js';
import { indexName, keyOf, pathsOf, textKeyStart } from './mongodb.index-key.js';
import { buildIntersectionPage, computeOrderKey, computeReach, type OrderKey } from './term-intersection.js';

const WITHOUT_KEYS = { projection: { keys: 0 } } as const;

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
    const stamps = cursor.project<Pick<MongoDocument, '_id' | 'position'>>({ position: 1 });
    const of = await this.connection.run(() => stamps.toArray());
    return { build, of: of.map(({ _id: id, position }) => ({ id, position })) };
  }

  async intersect(query: TermIntersection): Promise<IntersectionPage<D>> {
    const fields = this.fieldsOf(query.index);
    checkIntersection(query, fields);
    return this.connection.run(() => intersectTerms<D>(this.documents, query, fields));
  }

  async findEntries(query: PatternQuery): Promise<PatternEntries> {
    const fields = this.fieldsOf(query.index);
    checkPattern(query, fields);
    return this.connection.run(() => findEntries(this.documents, query, fields));
  }

  /** Returns all texts: a call for each skip would cost more than looking them up together. */
  async findTexts({ families }: TextQuery): Promise<readonly string[]> {
    return [...families].flatMap(([beginning, ends]) => ends.map(end => beginning + end));
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

interface QueryOptions {
  readonly until?: OrderKey | null;
  /** Texts to compare in place of the one in `equals`. */
  readonly set?: readonly string[];
  readonly others?: TermIntersection['texts'];
  readonly ids?: object | null;
  readonly skip?: number;
}

/** Names the index, so that a query it cannot serve fails. */
export function openCursor(
  documents: Documents<MongoDocument>,
  range: IndexRange,
  fields: readonly string[],
  options: QueryOptions = {},
) {
  const path = pathsOf(fields).at(-1)!;
  return documents
    .find(filterOf(range, fields, options), { ...WITHOUT_KEYS, skip: options.skip ?? 0 })
    .hint(indexName(fields))
    .sort({ [path]: range.order === 'asc' ? 1 : -1 })
    .limit(range.limit)
    .batchSize(range.limit);
}

/**
 * The other sets are compared with the body, which has no index. This keeps the server on the index ranges of the first
 * set.
 */
function filterOf(range: IndexRange, fields: readonly string[], options: QueryOptions) {
  const { until = null, set, others = [], ids } = options;
  const paths = pathsOf(fields);
  const compared = listFieldPosition(fields) + 1;
  const ordering = { ...range, equals: range.equals.slice(compared) };
  const before = keyOf(range.equals.slice(0, compared - 1));
  const keys = (set ?? range.equals.slice(compared - 1, compared)).map(text => before + keyOf([text]));
  const text = paths.length > 1 && { [paths[0]!]: keys.length === 1 ? keys[0] : { $in: keys } };
  const list = compared > 0 && `body.${fieldName(fields[compared - 1]!)}`;
  const and = list && others.length > 0 && { $and: others.map(texts => ({ [list]: { $in: [...texts] } })) };
  return { ...text, [paths.at(-1)!]: boundsOf(ordering, until), ...and, ...(ids && { _id: ids }) };
}

/**
 * If ids begin with a compared value they form one range, and the router of a sharded cluster asks only the shards that
 * hold it.
 */
function idsOf({ idsBegin }: Pick<Projection, 'idsBegin'>, { equals }: IndexRange, fields: readonly string[]) {
  const value = idsBegin === undefined ? undefined : equals[fields.map(fieldName).indexOf(idsBegin.slice(0, -1))];
  if (value === undefined || value === null) return null;
  const prefix = `${value}${idsBegin!.slice(-1)}`;
  return { $gte: prefix, $lt: prefix + LAST_CHARACTER };
}

function boundsOf({ equals, after, order }: IndexRange, until: OrderKey | null): object {
  const prefix = keyOf(equals);
  const at = (orderKey: OrderKey) => prefix + keyOf(orderKey.slice(0, -1)) + String(orderKey.at(-1));
  return order === 'asc'
    ? {
        ...(after ? { $gt: at(after) } : { $gte: prefix }),
        ...(until ? { $lte: at(until) } : { $lt: prefix + LAST_CHARACTER }),
      }
    : { $gte: until ? at(until) : prefix, $lt: after ? at(after) : prefix + LAST_CHARACTER };
}

function toStoredDocument<D>({ _id, position, body }: MongoDocument): StoredDocument<D> {
  return { id: _id, position, body: body as D };
}

async function intersectTerms<D extends JsonObject>(
  documents: Documents<MongoDocument>,
  query: TermIntersection,
  fields: readonly string[],
): Promise<IntersectionPage<D>> {
  const { texts, order, within } = query;
  const orderedBy = fields.slice(listFieldPosition(fields) + 1);
  const rangeOf = ([text]: readonly string[], limit: number) => ({ ...query, equals: [...query.equals, text!], limit });
  const findLastKey = async (set: readonly string[]): Promise<OrderKey | null> => {
    const [last] = await openCursor(documents, rangeOf(set, 1), fields, { set, skip: within - 1 })
      .project<OrderedPart>(projectionOf(orderedBy))
      .toArray();
    return last ? orderKeyOf(last, orderedBy) : null;
  };
  const lastKeys = await Promise.all(texts.map(async set => [await findLastKey(set)]));
  const { rarest, far } = computeReach(lastKeys, order);
  const set = texts[rarest]!;
  const others = texts.filter((_set, at) => at !== rarest);
  const cursor = openCursor(documents, rangeOf(set, query.limit), fields, { until: far, set, others });
  return buildIntersectionPage((await cursor.toArray()).map(toStoredDocument<D>), query, orderedBy, far);
}

async function findEntries(
  documents: Documents<MongoDocument>,
  { equals, pattern: { prefix, texts }, within }: PatternQuery,
  fields: readonly string[],
): Promise<PatternEntries> {
  const path = pathsOf(fields)[0]!;
  const before = keyOf(equals);
  const start = before + textKeyStart(prefix ?? '');
  // Without `$elemMatch` the server would use only one bound of the range, because a document has many keys.
  const range = { [path]: { $elemMatch: { $gte: start, $lt: start + LAST_CHARACTER } } };
  const exact = { [path]: { $in: texts.map(text => before + keyOf([text])) } };
  const orderedBy = fields.slice(listFieldPosition(fields) + 1);
  const found = await documents
    .find({ $or: [...(prefix === null ? [] : [range]), exact] })
    .hint(indexName(fields))
    .limit(within)
    .project<OrderedPart>(projectionOf(orderedBy))
    .toArray();
  return { keys: found.map(each => orderKeyOf(each, orderedBy)), isComplete: found.length < within };
}

type OrderedPart = Pick<MongoDocument, '_id' | 'body'>;

const projectionOf = (fields: readonly string[]) => Object.fromEntries(fields.map(field => [`body.${field}`, 1]));

const orderKeyOf = ({ _id, body }: OrderedPart, fields: readonly string[]): OrderKey =>
  computeOrderKey({ id: _id, body: body ?? {} }, fields);
