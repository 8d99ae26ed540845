import type { Collection } from '#libs/documents/document-store.port.js';
import { fold, type FoldedDocument } from '#libs/documents/fold.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';

const SCAN_PAGE = 1_000;

export interface DocumentDifference {
  readonly projection: string;
  readonly id: string;
  /** Null if only one side has the document. */
  readonly field: string | null;
}

export function rebuildDocuments(projection: Projection, events: readonly Event[]): Map<string, FoldedDocument> {
  const folded = fold(projection, events, new Map());
  return new Map(folded.filter(({ body }) => body !== null).map(document => [document.id, document]));
}

export async function findDocumentDifferences(
  projection: Projection,
  stored: Collection,
  events: readonly Event[],
): Promise<DocumentDifference[]> {
  const rebuilt = rebuildDocuments(projection, events);
  const differences: DocumentDifference[] = [];
  for await (const document of scanDocuments(stored)) {
    const expected = rebuilt.get(document.id);
    rebuilt.delete(document.id);
    differences.push(...compareDocument(projection.name, document, expected?.body ?? null));
  }
  return [...differences, ...[...rebuilt.keys()].map(id => ({ projection: projection.name, id, field: null }))];
}

async function* scanDocuments(collection: Collection): AsyncGenerator<StoredDocument> {
  for (let after: string | undefined; ;) {
    const page = await collection.scan(SCAN_PAGE, after);
    yield* page;
    if (page.length < SCAN_PAGE) return;
    after = page.at(-1)!.id;
  }
}

function compareDocument(
  projection: string,
  { id, body }: StoredDocument,
  expected: JsonObject | null,
): DocumentDifference[] {
  if (expected === null) return [{ projection, id, field: null }];
  const fields = new Set([...Object.keys(body), ...Object.keys(expected)]);
  return [...fields]
    .filter(field => canonicalJson([body[field] ?? null]) !== canonicalJson([expected[field] ?? null]))
    .map(field => ({ projection, id, field }));
}
