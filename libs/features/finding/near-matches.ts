import type { Scalar, TextPattern } from '#libs/documents/document-store.port.js';
import { decodeCursor, type Page } from '#libs/http/paging.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { listTypoTerms, type SearchWord } from '#libs/kernel/search-terms.js';
import { isUnspacedWord } from '#libs/kernel/words.js';
import { compareDescending, type OrderKey, SCANNED_AT_ONCE, scannedPage } from './key-order.js';
import type { Match } from './search-in-turn.js';
import { holdsAll, type WordIndex, type WordQuery } from './word-search.js';

const ENTRIES_MAX = 1_000;
/** Documents that are read to compare their words. */
const COMPARED_MAX = 250;
/** Reading this many documents costs less than another list. */
const FEW = 100;
const PREFIX_CHARACTERS_MIN = 3;
const NAME_CHARACTERS_MIN = 2;
const MISTYPED_WORDS_MAX = 2;

export type Words = readonly SearchWord[];
type Matching<D extends JsonObject> = WordIndex<D> & { readonly keep?: WordQuery<D>['keep'] };
type NearKind = Exclude<Match, 'word'>;

/** Sorts by names, then newest first. */
interface NearMatch {
  readonly id: string;
  readonly order: Scalar;
  /** Whether its name or title matches. */
  readonly isNamed: boolean;
}

/** Documents that match by a prefix or with a mistake, of at most 2,000 entries of the rarest word. */
export const findNearIds = async <D extends JsonObject>(...query: [WordIndex<D>, Words, NearKind]): Promise<string[]> =>
  (await findNearMatches(...query)).map(({ id }) => id);

const findNearMatches = <D extends JsonObject>(index: WordIndex<D>, words: Words, match: NearKind) =>
  match === 'prefix' ? findByPrefixes(index, words) : findByMistakes(index, words);

/** A page of near matches: those of names first, then newest first. */
export async function findNearPage<D extends JsonObject>(
  { keep = () => true, ...index }: Matching<D>,
  { words, limit, after }: Pick<WordQuery<D>, 'words' | 'limit' | 'after'>,
  match: NearKind,
): Promise<Page<D>> {
  const keyOf = ({ id, order, isNamed }: NearMatch): OrderKey => [Number(isNamed), order, id];
  const start = after === undefined ? undefined : decodeCursor(after, 'after', 3);
  const matches = await findNearMatches(index, words, match);
  matches.sort((one, other) => compareDescending(keyOf(one), keyOf(other)));
  const documents = new Map<string, StoredDocument<D>>();
  const read = async (last: OrderKey | undefined) =>
    matches.filter(each => last === undefined || compareDescending(last, keyOf(each)) < 0).slice(0, SCANNED_AT_ONCE);
  const { items, next } = await scannedPage<NearMatch>(
    {
      read,
      keep: async batch => {
        const stored = await index.collection.getMany(batch.map(({ id }) => id));
        for (const document of stored) if (keep(document.body)) documents.set(document.id, document);
        return batch.filter(({ id }) => documents.has(id));
      },
    },
    { keyOf, limit, start },
  );
  return { documents: items.map(({ id }) => documents.get(id)!), next };
}

const termsOf = (body: JsonObject) => body['words'] as readonly string[];
const namesOf = <D extends JsonObject>({ names }: WordIndex<D>, body: JsonObject) =>
  names === undefined ? [] : (body[names.field] as readonly string[]);

const mayBegin = ({ text }: SearchWord, charactersMin: number) =>
  text !== null && (text.length >= charactersMin || isUnspacedWord(text));
const beginsIn = (terms: readonly string[], { text }: SearchWord) =>
  text !== null && terms.some(term => term.startsWith(text));

/** Entries of one word: the order of each document by its id. */
interface WordEntries {
  readonly orders: ReadonlyMap<string, Scalar>;
  readonly isComplete: boolean;
}

async function listEntries<D extends JsonObject>(
  { collection, equals }: WordIndex<D>,
  index: string,
  pattern: TextPattern,
  within = ENTRIES_MAX,
): Promise<WordEntries> {
  const { keys, isComplete } = await collection.findEntries({ index, equals, pattern, within });
  const orders = new Map<string, Scalar>();
  for (const [order, id] of keys) orders.set(id as string, order!);
  return { orders, isComplete };
}

const NO_ENTRIES: WordEntries = { orders: new Map(), isComplete: true };

interface SearchedWord {
  /** Entries under the words, and under names. */
  list(): Promise<readonly [words: WordEntries, names: WordEntries]>;
  isIn(body: JsonObject): boolean;
  isNamed(body: JsonObject): boolean;
}

/**
 * Documents of all words. After a short list, and where a list is incomplete, documents are read and compared instead.
 */
async function intersectWords<D extends JsonObject>(
  { collection }: WordIndex<D>,
  words: readonly SearchedWord[],
): Promise<NearMatch[]> {
  const lists: WordEntries[] = [];
  const names: WordEntries[] = [];
  for (const word of words) {
    const [ofWords, ofNames] = await word.list();
    names.push(ofNames);
    const list = unite(ofWords, ofNames);
    lists.push(list);
    if (list.isComplete && list.orders.size <= FEW) break;
  }
  const rarest = lists.reduce((one, other) => (other.orders.size < one.orders.size ? other : one));
  const areAllListed = lists.length === words.length;
  const isListed = (entries: readonly WordEntries[], id: string) =>
    areAllListed && entries.every(({ orders }) => orders.has(id));
  const mayMatch = (id: string) => lists.every(({ orders, isComplete }) => !isComplete || orders.has(id));
  const possible: Pick<NearMatch, 'id' | 'order'>[] = [];
  for (const [id, order] of rarest.orders) if (mayMatch(id)) possible.push({ id, order });
  const unsure = possible
    .filter(({ id }) => !isListed(lists, id))
    .sort((one, other) => compareDescending([one.order], [other.order]))
    .slice(0, COMPARED_MAX);
  const compared = new Map((await collection.getMany(unsure.map(({ id }) => id))).map(({ id, body }) => [id, body]));
  return possible.flatMap(candidate => {
    const { id } = candidate;
    if (isListed(lists, id)) return [{ ...candidate, isNamed: isListed(names, id) }];
    const body = compared.get(id);
    if (body === undefined || !words.every(word => word.isIn(body))) return [];
    return [{ ...candidate, isNamed: words.every(word => word.isNamed(body)) }];
  });
}

function unite(one: WordEntries, other: WordEntries): WordEntries {
  if (other.orders.size === 0) return one;
  const orders = new Map(one.orders);
  for (const [id, order] of other.orders) orders.set(id, order);
  return { orders, isComplete: one.isComplete && other.isComplete };
}

const byLength = (one: SearchWord, other: SearchWord) => (other.text?.length ?? 0) - (one.text?.length ?? 0);

/** Long words first: few documents have them. */
async function findByPrefixes<D extends JsonObject>(index: WordIndex<D>, words: Words): Promise<NearMatch[]> {
  const isLong = (word: SearchWord) => mayBegin(word, PREFIX_CHARACTERS_MIN);
  const isShort = (word: SearchWord) => index.names !== undefined && mayBegin(word, NAME_CHARACTERS_MIN);
  if (!words.some(word => isLong(word) || isShort(word))) return [];
  return intersectWords(
    index,
    words.toSorted(byLength).map(word => {
      const isNamed = (body: JsonObject) => isShort(word) && beginsIn(namesOf(index, body), word);
      return {
        list: () =>
          Promise.all([
            listEntries(index, index.index, { prefix: isLong(word) ? word.text : null, texts: word.terms }),
            isShort(word) ? listEntries(index, index.names!.index, { prefix: word.text, texts: [] }) : NO_ENTRIES,
          ]),
        isIn: body =>
          holdsAll(termsOf(body), [word]) || (isLong(word) && beginsIn(termsOf(body), word)) || isNamed(body),
        isNamed,
      };
    }),
  );
}

/** Only words that no document has can be mistyped. */
async function findByMistakes<D extends JsonObject>(index: WordIndex<D>, words: Words): Promise<NearMatch[]> {
  const list = (texts: readonly string[], within?: number) =>
    listEntries(index, index.index, { prefix: null, texts }, within);
  const first = await Promise.all(words.map(({ terms }) => list(terms, 1)));
  const missing = words.filter((_word, at) => first[at]!.orders.size === 0);
  if (missing.length === 0 || missing.length > MISTYPED_WORDS_MAX) return [];
  const searched = await Promise.all(
    words.map(async word => {
      const isMissing = missing.includes(word);
      return { isMissing, terms: isMissing ? await findMistakes(index, word) : word.terms };
    }),
  );
  if (searched.some(({ terms }) => terms.length === 0)) return [];
  return intersectWords(
    index,
    searched
      .toSorted((one, other) => Number(other.isMissing) - Number(one.isMissing))
      .map(({ terms }) => {
        const set = new Set(terms);
        return {
          list: async () => [await list(terms), NO_ENTRIES] as const,
          isIn: body => termsOf(body).some(term => set.has(term)),
          isNamed: () => false,
        };
      }),
  );
}

/** Terms with one mistake that a document may have. */
async function findMistakes<D extends JsonObject>(
  { collection, index, equals }: WordIndex<D>,
  word: SearchWord,
): Promise<string[]> {
  const families = listTypoTerms(word);
  return families.size === 0 ? [] : [...new Set(await collection.findTexts({ index, equals, families }))];
}
