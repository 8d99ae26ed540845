import type { Collection, Scalar } from '#libs/documents/port.js';
import { decodeCursor, type Page, page } from '#libs/http/paging.js';
import type { JsonObject } from '#libs/kernel/json.js';

/** How many documents of each word are looked at to see which word is the rarest. */
const PROBED = 50;

/** Documents by the words in a list of theirs, by an index of what is compared, the word, and one field of order. */
export interface WordIndex<D extends JsonObject> {
  readonly collection: Collection<D>;
  readonly index: string;
  /** What stands before the word in the index. */
  readonly equals: readonly Scalar[];
  readonly order: keyof D & string;
  readonly wordsIn: (document: D) => readonly string[];
}

interface Wanted<D> {
  readonly words: readonly string[];
  readonly limit: number;
  readonly after?: string;
  readonly keep?: (document: D) => boolean;
}

/** The newest documents that hold every word, of which there is one at least. They are read by the rarest of them. */
export async function holdingAll<D extends JsonObject>(
  found: WordIndex<D>,
  { words, limit, after, keep = () => true }: Wanted<D>,
): Promise<Page<D>> {
  const { collection, index, equals, order, wordsIn } = found;
  const last = after === undefined ? undefined : decodeCursor(after, 'after', 2);
  const holdsAll = (document: D) => words.every(word => wordsIn(document).includes(word));
  return page(collection, {
    range: { index, equals: [...equals, await rarest(found, words, last)], order: 'desc', limit },
    fields: [order],
    cursor: ['after', after],
    keep: document => holdsAll(document) && keep(document),
  });
}

/** The word whose documents run out first or, where none do, whose reach back furthest. */
async function rarest<D extends JsonObject>(
  { collection, index, equals, order }: WordIndex<D>,
  words: readonly string[],
  after: readonly Scalar[] | undefined,
): Promise<string> {
  if (words.length === 1) return words[0]!;
  const newest = (word: string) =>
    collection.find({ index, equals: [...equals, word], order: 'desc', limit: PROBED, ...(after && { after }) });
  const probes = await Promise.all(words.map(async word => ({ word, found: await newest(word) })));
  const reach = ({ found }: (typeof probes)[number]) =>
    found.length < PROBED ? `${found.length}`.padStart(3, '0') : `9${found.at(-1)!.body[order] as string}`;
  return probes.reduce((a, b) => (reach(b) < reach(a) ? b : a)).word;
}
