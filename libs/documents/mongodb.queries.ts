import type { Collection as Documents } from 'mongodb';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import { LAST_CHARACTER } from '#libs/platform/mongodb/connection.js';
import type { OrderKey } from './term-intersection.js';
import type { MongoDocument } from './mongodb.builds.js';
import { indexName, keyOf, pathsOf } from './mongodb.index-key.js';
import type { IndexRange } from './document-store.port.js';
import { fieldName, listFieldPosition } from './index-range.js';

export const WITHOUT_KEYS = { projection: { keys: 0 } } as const;
/** What stands before its body. */
export type Stamp = Pick<MongoDocument, '_id' | 'position'>;
export const STAMP = { position: 1 } as const;

/** What a range asks for besides. */
interface QueryOptions {
  /** Documents up to there. */
  readonly until?: OrderKey | null;
  /** Of a list: those that hold these texts too. */
  readonly texts?: readonly string[];
  /** Where their ids stand, if that is known. */
  readonly ids?: object | null;
  /** How many of the first are left out. */
  readonly passed?: number;
}

/** The question as one range of one index, which is named, so that a question it cannot answer fails. */
export function openCursor(
  documents: Documents<MongoDocument>,
  range: IndexRange,
  fields: readonly string[],
  besides: QueryOptions = {},
) {
  const path = pathsOf(fields).at(-1)!;
  return documents
    .find(filterOf(range, fields, besides), { ...WITHOUT_KEYS, skip: besides.passed ?? 0 })
    .hint(indexName(fields))
    .sort({ [path]: range.order === 'asc' ? 1 : -1 })
    .limit(range.limit)
    .batchSize(range.limit);
}

/**
 * Other texts are looked for in the body, which no index knows: so the server goes through what stands under the one
 * text in this order, and not under another one.
 */
function filterOf(range: IndexRange, fields: readonly string[], { until = null, texts = [], ids }: QueryOptions) {
  const paths = pathsOf(fields);
  const compared = listFieldPosition(fields) + 1;
  const behind = { ...range, equals: range.equals.slice(compared) };
  const text = paths.length > 1 && { [paths[0]!]: keyOf(range.equals.slice(0, compared)) };
  const others = texts.length > 0 && { [`body.${fieldName(fields[compared - 1]!)}`]: { $all: [...texts] } };
  return { ...text, [paths.at(-1)!]: boundsOf(behind, until), ...others, ...(ids && { _id: ids }) };
}

/**
 * Where ids begin with a value that is compared, they stand in one range: a router of a sharded cluster asks those that
 * have it, and not every shard.
 */
export function idsOf({ idsBegin }: Pick<Projection, 'idsBegin'>, { equals }: IndexRange, fields: readonly string[]) {
  const value = idsBegin === undefined ? undefined : equals[fields.indexOf(idsBegin.slice(0, -1))];
  if (value === undefined || value === null) return null;
  const prefix = `${value}${idsBegin!.slice(-1)}`;
  return { $gte: prefix, $lt: prefix + LAST_CHARACTER };
}

function boundsOf({ equals, after, order }: IndexRange, until: OrderKey | null): object {
  const prefix = keyOf(equals);
  const at = (place: OrderKey) => prefix + keyOf(place.slice(0, -1)) + String(place.at(-1));
  return order === 'asc'
    ? {
        ...(after ? { $gt: at(after) } : { $gte: prefix }),
        ...(until ? { $lte: at(until) } : { $lt: prefix + LAST_CHARACTER }),
      }
    : { $gte: until ? at(until) : prefix, $lt: after ? at(after) : prefix + LAST_CHARACTER };
}

export function toStoredDocument<D>({ _id, position, body }: MongoDocument): StoredDocument<D> {
  return { id: _id, position, body: body as D };
}
