import type { Collection as Documents } from 'mongodb';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import { LAST_CHARACTER } from '#libs/platform/mongodb/connection.js';
import type { OrderKey } from './term-intersection.js';
import type { MongoDocument } from './mongodb.builds.js';
import { indexName, keyOf, pathsOf } from './mongodb.index-key.js';
import type { IndexRange } from './document-store.port.js';
import { fieldName, listFieldPosition } from './index-range.js';

export const WITHOUT_KEYS = { projection: { keys: 0 } } as const;
export type Stamp = Pick<MongoDocument, '_id' | 'position'>;
export const STAMP = { position: 1 } as const;

interface QueryOptions {
  readonly until?: OrderKey | null;
  readonly texts?: readonly string[];
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
 * The other texts are compared with the body, which has no index. This keeps the server on the index range of the first
 * text.
 */
function filterOf(range: IndexRange, fields: readonly string[], { until = null, texts = [], ids }: QueryOptions) {
  const paths = pathsOf(fields);
  const compared = listFieldPosition(fields) + 1;
  const ordering = { ...range, equals: range.equals.slice(compared) };
  const text = paths.length > 1 && { [paths[0]!]: keyOf(range.equals.slice(0, compared)) };
  const others = texts.length > 0 && { [`body.${fieldName(fields[compared - 1]!)}`]: { $all: [...texts] } };
  return { ...text, [paths.at(-1)!]: boundsOf(ordering, until), ...others, ...(ids && { _id: ids }) };
}

/**
 * If ids begin with a compared value they form one range, and the router of a sharded cluster asks only the shards that
 * hold it.
 */
export function idsOf({ idsBegin }: Pick<Projection, 'idsBegin'>, { equals }: IndexRange, fields: readonly string[]) {
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

export function toStoredDocument<D>({ _id, position, body }: MongoDocument): StoredDocument<D> {
  return { id: _id, position, body: body as D };
}
