import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Collection, IndexRange } from './document-store.port.js';

/** How many documents are looked at in one question, where nobody says. */
const SIZE = 500;

export interface PageRange<D extends JsonObject> extends Pick<IndexRange, 'index' | 'equals' | 'after'> {
  /** A document's values of the index's other fields. */
  readonly last: (document: D) => readonly string[];
  /** How many documents a page has; the last one may have fewer. */
  readonly size?: number;
}

/** The documents of a range of an index, however many, page by page. `after`: the values that they stand behind. */
export async function* iteratePages<D extends JsonObject>(
  collection: Collection<D>,
  range: PageRange<D>,
): AsyncGenerator<D[]> {
  for await (const found of iterateStoredPages(collection, range)) yield found.map(({ body }) => body);
}

/** The same with their ids. */
export async function* iterateStoredPages<D extends JsonObject>(
  collection: Collection<D>,
  { last, size = SIZE, ...range }: PageRange<D>,
): AsyncGenerator<StoredDocument<D>[]> {
  for (let { after } = range; ;) {
    const found = await collection.find({ ...range, order: 'asc', limit: size, ...(after && { after }) });
    if (found.length > 0) yield found;
    if (found.length < size) return;
    const end = found.at(-1)!;
    after = [...last(end.body), end.id];
  }
}

/** Every document with a value in an index, in the order in which the log opened them. */
export const iterateByOpening = <D extends JsonObject & { readonly opened: string }>(
  collection: Collection<D>,
  index: string,
  value: string,
): AsyncGenerator<D[]> => iteratePages(collection, { index, equals: [value], last: ({ opened }) => [opened] });
