import type { Collection as Documents } from 'mongodb';
import type { JsonObject } from '#libs/kernel/json.js';
import { buildIntersectionPage, type OrderKey, computeOrderKey, computeReach } from './term-intersection.js';
import type { MongoDocument } from './mongodb.builds.js';
import { openCursor, toStoredDocument } from './mongodb.queries.js';
import type { TermIntersection, IntersectionPage, IndexRange } from './document-store.port.js';
import { listFieldPosition } from './index-range.js';

/** What stands under several texts of one list index: how far to look is asked first, then what is there. */
export async function intersectTerms<D extends JsonObject>(
  documents: Documents<MongoDocument>,
  meeting: TermIntersection,
  fields: readonly string[],
): Promise<IntersectionPage<D>> {
  const { texts, order } = meeting;
  const orderedBy = fields.slice(listFieldPosition(fields) + 1);
  const lasts = await Promise.all(texts.map(text => findLastOrderKey(documents, meeting, text, { fields, orderedBy })));
  const { rarest, far } = computeReach(lasts, order);
  const others = texts.filter((_text, at) => at !== rarest);
  const found = openCursor(documents, buildTermRange(meeting, texts[rarest]!), fields, { until: far, texts: others });
  return buildIntersectionPage((await found.toArray()).map(toStoredDocument<D>), meeting, orderedBy, far);
}

/** Where the last document of a text stands that is looked at. */
async function findLastOrderKey(
  documents: Documents<MongoDocument>,
  meeting: TermIntersection,
  text: string,
  { fields, orderedBy }: { readonly fields: readonly string[]; readonly orderedBy: readonly string[] },
): Promise<OrderKey | null> {
  const range = { ...buildTermRange(meeting, text), limit: 1 };
  const [last] = await openCursor(documents, range, fields, { passed: meeting.within - 1 })
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
