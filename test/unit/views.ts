import { selectEvents, fold } from '#libs/documents/fold.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import type { Event } from '#libs/kernel/event.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';

export type Documents = ReadonlyMap<string, StoredDocument>;
export const NONE: Documents = new Map();

/** Adds the steps of later features, which only the list of all projections has. */
const composed = (projection: Projection) => PROJECTIONS.find(({ name }) => name === projection.name) ?? projection;

/** Returns the documents after a batch, as a projector commits them. */
export function after(declared: Projection, events: readonly Event[], before: Documents = NONE): Documents {
  const projection = composed(declared);
  const own = selectEvents(projection, { events, stored: events as never });
  const documents = new Map(before);
  for (const { id, position, body } of fold(projection, own, before)) {
    if (body === null) documents.delete(id);
    else documents.set(id, { id, position, body });
  }
  return documents;
}
