import { LRUCache } from 'lru-cache';
import type { ReadParameters } from './paging.js';
import type { ReadRoute } from './routes.js';

/** How many characters of answers and their addresses one process keeps, and of how many answers. */
const CHARACTERS_MAX = 16_000_000;
const ANSWERS_MAX = 20_000;

const expiries = new WeakMap<object, number>();

/**
 * Marks an answer that follows from its address and the documents alone, and not from the caller, nor from the clock
 * before a time (unix ms). Until then, or until a document changes, the same question gets the same text without being
 * worked out again.
 */
export function cacheable<T extends object>(answer: T, until = Infinity): T {
  expiries.set(answer, until);
  return answer;
}

/** Until when an answer lasts; undefined for one that is worked out each time. */
export const getCacheExpiry = (answer: unknown): number | undefined => expiries.get(answer as object);

export interface CachedResponse {
  readonly text: string;
  readonly etag: string;
  /** Unix ms. */
  readonly until: number;
}

/**
 * What an answer is kept under: the route and the parameters that it knows. Undefined for a question with any other
 * parameter, of which a stranger could make as many as memory takes.
 */
export function computeResponseCacheKey(
  { path, page, describe }: ReadRoute,
  params: ReadParameters,
  query: ReadParameters,
): string | undefined {
  const known = describe.query ?? {};
  for (const [name, value] of Object.entries(query))
    if (!Object.hasOwn(known, name) || typeof value !== 'string') return undefined;
  return JSON.stringify([
    path,
    page !== undefined,
    ...Object.values(params),
    ...Object.keys(known).map(name => query[name]),
  ]);
}

/** Keeps the texts of such answers by address until a document changes. */
export class ResponseCache {
  private readonly answers = new LRUCache<string, CachedResponse>({
    max: ANSWERS_MAX,
    maxSize: CHARACTERS_MAX,
    sizeCalculation: ({ text }, address) => address.length + text.length,
  });
  private version: unknown;

  /** `version` of the documents now, unix ms. */
  get(address: string, version: unknown, now: number): CachedResponse | undefined {
    const known = version === this.version ? this.answers.get(address) : undefined;
    return known && now < known.until ? known : undefined;
  }

  /** `version` of the documents before the answer was worked out. */
  put(address: string, version: unknown, answer: CachedResponse): void {
    if (version === undefined) return;
    if (version !== this.version) this.answers.clear();
    this.version = version;
    this.answers.set(address, answer);
  }
}
