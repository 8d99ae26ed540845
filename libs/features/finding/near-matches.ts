import type { Scalar, TextPattern } from '#libs/documents/document-store.port.js';
import type { PageRequest } from '#libs/features/jobs/views/acting-posters.js';
import { decodeCursor, encodeCursor, type Page } from '#libs/http/paging.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { listTypoTerms, type SearchWord } from '#libs/kernel/search-terms.js';
import { isUnspacedWord } from '#libs/kernel/words.js';
import { sortedPage } from './key-order.js';
import { findByWords, holdsAll, type WordIndex, type WordQuery } from './word-search.js';

/** Kinds of matches, best first. The next one is only tried when the one before finds nothing. */
export const MATCHES = ['word', 'prefix', 'typo'] as const;
export type Match = (typeof MATCHES)[number];

const ENTRIES_MAX = 2_000;
const PREFIX_CHARACTERS_MIN = 3;
const NAME_CHARACTERS_MIN = 2;
const MISTYPED_WORDS_MAX = 2;

export interface SearchPage<T> {
  readonly results: readonly T[];
  readonly next: string | null;
  /** Whether anything matches, of which filters may have left out all; by default, if there are results. */
  readonly matched?: boolean;
}

/** The cursor keeps the kind of match, so later pages continue with it. */
export async function searchInTurn<T>(
  after: string | undefined,
  read: (match: Match, after: string | undefined) => Promise<SearchPage<T>>,
): Promise<SearchPage<T> & { readonly match: Match | null }> {
  const [only, rest] = after === undefined ? [] : decodeCursor(after, 'after', 2);
  const matches = MATCHES.filter(match => after === undefined || match === only);
  for (const match of matches) {
    const page = await read(match, rest === undefined ? undefined : String(rest));
    const { results, next } = page;
    if (page.matched ?? (results.length > 0 || next !== null))
      return { results, next: next === null ? null : encodeCursor([match, next]), match };
  }
  return { results: [], next: null, match: null };
}

type ListReader<T> = (part: PageRequest) => Promise<SearchPage<T>>;

/** Reads a second list when the first one has ended. The cursor says which one it continues. */
export async function readInSequence<T>(
  { limit, after }: PageRequest,
  first: ListReader<T>,
  second: ListReader<T>,
): Promise<SearchPage<T>> {
  const [isSecond, rest] = after === undefined ? [false, ''] : decodeCursor(after, 'after', 2);
  const start = rest === '' ? undefined : String(rest);
  const results: T[] = [];
  if (isSecond !== true) {
    const page = await first({ limit, after: start });
    results.push(...page.results);
    if (page.next !== null) return { results, next: encodeCursor([false, page.next]) };
    if (results.length === limit) return { results, next: encodeCursor([true, '']) };
  }
  const page = await second({ limit: limit - results.length, after: isSecond === true ? start : undefined });
  return { results: [...results, ...page.results], next: page.next === null ? null : encodeCursor([true, page.next]) };
}

export type Words = readonly SearchWord[];
type Matching<D extends JsonObject> = WordIndex<D> & { readonly keep?: WordQuery<D>['keep'] };

/** Documents that match by a prefix or with a mistake, of at most 2,000 entries of the rarest word. */
export async function findNearMatches<D extends JsonObject>(
  { keep = () => true, ...index }: Matching<D>,
  words: Words,
  match: Exclude<Match, 'word'>,
): Promise<StoredDocument<D>[]> {
  const matches = await (match === 'prefix' ? findByPrefixes(index, words) : findByMistakes(index, words));
  return matches.filter(({ body }) => keep(body));
}

/** A page of `findNearMatches`: matches of names first, then newest first. */
export async function findNearPage<D extends JsonObject>(
  index: Matching<D>,
  { words, limit, after }: Pick<WordQuery<D>, 'words' | 'limit' | 'after'>,
  match: Exclude<Match, 'word'>,
): Promise<Page<D>> {
  const rankOf = (body: D) => Number(words.every(word => beginsIn(namesOf(index, body), word)));
  const keyOf = ({ id, body }: StoredDocument<D>): Scalar[] => [rankOf(body), body[index.order] as Scalar, id];
  const start = after === undefined ? undefined : decodeCursor(after, 'after', 3);
  const { items, next } = sortedPage(await findNearMatches(index, words, match), { keyOf, limit, start });
  return { documents: items, next };
}

const termsOf = (body: JsonObject) => body['words'] as readonly string[];
const namesOf = <D extends JsonObject>({ names }: WordIndex<D>, body: D) =>
  names === undefined ? [] : (body[names.field] as readonly string[]);

const mayBegin = ({ text }: SearchWord, charactersMin: number) =>
  text !== null && (text.length >= charactersMin || isUnspacedWord(text));
const beginsIn = (terms: readonly string[], { text }: SearchWord) =>
  text !== null && terms.some(term => term.startsWith(text));

async function findByPrefixes<D extends JsonObject>(index: WordIndex<D>, words: Words): Promise<StoredDocument<D>[]> {
  const long = words.filter(word => mayBegin(word, PREFIX_CHARACTERS_MIN));
  const short = words.filter(word => mayBegin(word, NAME_CHARACTERS_MIN));
  if (short.length === 0) return [];
  const patternOf = ({ text, terms }: SearchWord): TextPattern => ({ prefix: text, texts: terms });
  const query = { equals: index.equals, within: ENTRIES_MAX };
  const lists = await Promise.all([
    long.length > 0 && index.collection.findRarest({ ...query, index: index.index, patterns: long.map(patternOf) }),
    index.names && index.collection.findRarest({ ...query, index: index.names.index, patterns: short.map(patternOf) }),
  ]);
  const holds = (body: D) =>
    words.every(
      word =>
        holdsAll(termsOf(body), [word]) ||
        (long.includes(word) && beginsIn(termsOf(body), word)) ||
        (short.includes(word) && beginsIn(namesOf(index, body), word)),
    );
  const byId = new Map(lists.flatMap(list => list || []).map(document => [document.id, document]));
  return [...byId.values()].filter(({ body }) => holds(body));
}

/** Only words that no document has can be mistyped. */
async function findByMistakes<D extends JsonObject>(index: WordIndex<D>, words: Words): Promise<StoredDocument<D>[]> {
  const pages = await Promise.all(words.map(word => findByWords(index, { words: [word], limit: 1 })));
  const isMissing = (at: number) => pages[at]!.documents.length === 0;
  const patterns = words.map((word, at) => (isMissing(at) ? listTypoTerms(word) : word.terms));
  const missing = words.filter((_word, at) => isMissing(at)).length;
  if (missing === 0 || missing > MISTYPED_WORDS_MAX || patterns.some(terms => terms.length === 0)) return [];
  const matches = await index.collection.findRarest({
    index: index.index,
    equals: index.equals,
    patterns: patterns.map(texts => ({ prefix: null, texts })),
    within: ENTRIES_MAX,
  });
  const sets = patterns.map(terms => new Set(terms));
  return matches.filter(({ body }) => sets.every(set => termsOf(body).some(term => set.has(term))));
}
