import type { Collection, TermIntersection, Scalar } from '#libs/documents/document-store.port.js';
import { decodeCursor, encodeCursor, type Page, fetchPage } from '#libs/http/paging.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { extractQueryWords, type SearchWord, toTagTerm } from '#libs/kernel/search-terms.js';

const SCANNED_MAX = 500;

/** Documents with a list of terms. The index is over `equals`, one word, and one field of order. */
export interface WordIndex<D extends JsonObject> {
  readonly collection: Collection<D>;
  readonly index: string;
  /** Values before the word in the index. */
  readonly equals: readonly Scalar[];
  readonly order: keyof D & string;
  /** Field with whole words of names or titles, which match from two letters on, and its index. */
  readonly names?: { readonly index: string; readonly field: keyof D & string };
}

export interface WordQuery<D> {
  readonly words: readonly SearchWord[];
  readonly limit: number;
  readonly after?: string | undefined;
  readonly keep?: (document: D) => boolean;
}

/** `words` must not be empty. */
export async function findByWords<D extends JsonObject>(
  { collection, index, equals, order }: WordIndex<D>,
  { words, limit, after, keep = () => true }: WordQuery<D>,
): Promise<Page<D>> {
  const texts = words.map(({ terms }) => terms);
  if (texts.some(terms => terms.length === 0)) return { documents: [], next: null };
  if (texts.length === 1 && texts[0]!.length === 1) {
    const range = { index, equals: [...equals, ...texts[0]!], order: 'desc', limit } as const;
    return fetchPage(collection, { range, fields: [order], cursor: ['after', after], keep });
  }
  const intersection: TermIntersection = {
    index,
    equals,
    texts,
    order: 'desc',
    limit: limit + 1,
    within: SCANNED_MAX,
  };
  let last: readonly Scalar[] | null | undefined = after === undefined ? undefined : decodeCursor(after, 'after', 2);
  const matches: StoredDocument<D>[] = [];
  for (let read = 0; read < SCANNED_MAX;) {
    const { documents, end } = await collection.intersect({ ...intersection, ...(last && { after: last }) });
    for (const document of documents) {
      if (matches.length === limit) return { documents: matches, next: encodeCursor(last!) };
      if (keep(document.body)) matches.push(document);
      last = [document.body[order] as Scalar, document.id];
    }
    last = end;
    if (documents.length <= limit) break;
    read += documents.length;
  }
  return { documents: matches, next: last ? encodeCursor(last) : null };
}

export const WORDS_MAX = 10;
export const QUERY_CHARACTERS_MAX = 200;

export const filterWord = (term: string): SearchWord => ({ terms: [term], text: null });

export function parseQueryWords(query: string): SearchWord[] {
  const words = query.split(/\s+/).flatMap(part => {
    const tag = part.startsWith('#') ? toTagTerm(part) : undefined;
    return tag === undefined ? extractQueryWords(part) : [filterWord(tag)];
  });
  const distinct = new Map(words.map(word => [word.text ?? word.terms.join(), word]));
  return [...distinct.values()].slice(0, WORDS_MAX);
}

export const holdsAll = (terms: readonly string[], words: readonly Pick<SearchWord, 'terms'>[]) =>
  words.every(word => word.terms.some(term => terms.includes(term)));
