import type { Collection, FoldedDocument } from '#libs/documents/document-store.port.js';
import { fold } from '#libs/documents/fold.js';
import { findDifferences } from '#libs/kernel/differences.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';

const PAGE = 1_000;

export function rebuildDocuments(projection: Projection, events: readonly Event[]): Map<string, FoldedDocument> {
  const folded = fold(projection, events, new Map()).filter(({ body }) => body !== null);
  return new Map(folded.map(document => [document.id, document]));
}

/** Compares the stored documents of a projection with rebuilt ones. */
export async function findDocumentDifferences(
  { name }: Projection,
  stored: Collection,
  rebuilt: ReadonlyMap<string, FoldedDocument>,
) {
  const live = new Map<string, JsonObject>();
  for (let page = await stored.scan(PAGE); page.length > 0; page = await stored.scan(PAGE, page.at(-1)!.id))
    for (const { id, body } of page) live.set(id, body);
  return [...new Set([...live.keys(), ...rebuilt.keys()])].flatMap(id => {
    const differences = findDifferences(live.get(id) ?? null, rebuilt.get(id)?.body ?? null, (a, b) => a === b);
    const fields = differences.map(({ field }) => field);
    return fields.length > 0 ? [{ projection: name, id, fields }] : [];
  });
}
