import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Collection, IndexRange, Scalar } from './document-store.port.js';

const SIZE = 500;

interface PageRange<D extends JsonObject> extends Pick<IndexRange, 'index' | 'equals' | 'after'> {
  /** Returns a document's values of the index's other fields. */
  readonly last: (document: D) => readonly Scalar[];
  readonly size?: number;
}

export async function* iteratePages<D extends JsonObject>(
  collection: Collection<D>,
  range: PageRange<D>,
): AsyncGenerator<D[]> {
  for await (const page of iterateStoredPages(collection, range)) yield page.map(({ body }) => body);
}

export async function* iterateStoredPages<D extends JsonObject>(
  collection: Collection<D>,
  { last, size = SIZE, ...range }: PageRange<D>,
): AsyncGenerator<StoredDocument<D>[]> {
  for (let { after } = range; ;) {
    const page = await collection.find({ ...range, order: 'asc', limit: size, ...(after && { after }) });
    if (page.length > 0) yield page;
    if (page.length < size) return;
    const lastDocument = page.at(-1)!;
    after = [...last(lastDocument.body), lastDocument.id];
  }
}

export const iterateByOpening = <D extends JsonObject & { readonly opened: string }>(
  collection: Collection<D>,
  index: string,
  value: string,
): AsyncGenerator<D[]> => iteratePages(collection, { index, equals: [value], last: ({ opened }) => [opened] });
