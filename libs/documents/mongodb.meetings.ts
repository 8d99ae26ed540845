import type { Collection as Documents } from 'mongodb';
import type { JsonObject } from '#libs/kernel/json.js';
import { met, type Place, placeOf, reachOf } from './meeting.js';
import type { StoredDocument } from './mongodb.builds.js';
import { cursorOf, stored } from './mongodb.questions.js';
import type { Meeting, Met, Range } from './port.js';
import { listAt } from './range.js';

/** What stands under several texts of one list index: how far to look is asked first, then what is there. */
export async function meetIn<D extends JsonObject>(
  documents: Documents<StoredDocument>,
  meeting: Meeting,
  fields: readonly string[],
): Promise<Met<D>> {
  const { texts, order } = meeting;
  const orderedBy = fields.slice(listAt(fields) + 1);
  const lasts = await Promise.all(texts.map(text => lastOf(documents, meeting, text, { fields, orderedBy })));
  const { rarest, far } = reachOf(lasts, order);
  const others = texts.filter((_text, at) => at !== rarest);
  const found = cursorOf(documents, under(meeting, texts[rarest]!), fields, { until: far, texts: others });
  return met((await found.toArray()).map(stored<D>), meeting, orderedBy, far);
}

/** Where the last document of a text stands that is looked at. */
async function lastOf(
  documents: Documents<StoredDocument>,
  meeting: Meeting,
  text: string,
  { fields, orderedBy }: { readonly fields: readonly string[]; readonly orderedBy: readonly string[] },
): Promise<Place | null> {
  const range = { ...under(meeting, text), limit: 1 };
  const [last] = await cursorOf(documents, range, fields, { passed: meeting.within - 1 })
    .project<Pick<StoredDocument, '_id' | 'body'>>(Object.fromEntries(orderedBy.map(field => [`body.${field}`, 1])))
    .toArray();
  return last ? placeOf({ id: last._id, body: last.body ?? {} }, orderedBy) : null;
}

const under = ({ index, equals, order, limit, after }: Meeting, text: string): Range => ({
  index,
  equals: [...equals, text],
  order,
  limit,
  ...(after && { after }),
});
