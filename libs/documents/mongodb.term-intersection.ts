import type { Collection as Documents } from 'mongodb';
import type { JsonObject } from '#libs/kernel/json.js';
import { buildIntersectionPage, type OrderKey, computeOrderKey, computeReach } from './term-intersection.js';
import type { MongoDocument } from './mongodb.builds.js';
import { openCursor, toStoredDocument } from './mongodb.queries.js';
import type { TermIntersection, IntersectionPage, IndexRange } from './document-store.port.js';
import { listFieldPosition } from './index-range.js';

export async function intersectTerms<D extends JsonObject>(
  documents: Documents<MongoDocument>,
  query: TermIntersection,
  fields: readonly string[],
): Promise<IntersectionPage<D>> {
  const { texts, order } = query;
  const orderedBy = fields.slice(listFieldPosition(fields) + 1);
  const lastKeys = await Promise.all(
    texts.map(text => findLastOrderKey(documents, query, text, { fields, orderedBy })),
  );
  const { rarest, far } = computeReach(lastKeys, order);
  const others = texts.filter((_text, at) => at !== rarest);
  const cursor = openCursor(documents, buildTermRange(query, texts[rarest]!), fields, { until: far, texts: others });
  return buildIntersectionPage((await cursor.toArray()).map(toStoredDocument<D>), query, orderedBy, far);
}

async function findLastOrderKey(
  documents: Documents<MongoDocument>,
  query: TermIntersection,
  text: string,
  { fields, orderedBy }: { readonly fields: readonly string[]; readonly orderedBy: readonly string[] },
): Promise<OrderKey | null> {
  const range = { ...buildTermRange(query, text), limit: 1 };
  const [last] = await openCursor(documents, range, fields, { skip: query.within - 1 })
    .project<Pick<MongoDocument, '_id' | 'body'>>(Object.fromEntries(orderedBy.map(field => [`body.${field}`, 1])))
    .toArray();
  return last ? computeOrderKey({ id: last._id, body: last.body ?? {} }, orderedBy) : null;
}

const buildTermRange = ({ index, equals, order, limit, after }: TermIntersection, text: string): IndexRange => ({
  index,
  equals: [...equals, text],
  order,
  limit,
  ...(after && { after }),
});
