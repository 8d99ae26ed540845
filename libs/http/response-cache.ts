import { LRUCache } from 'lru-cache';
import type { ReadParameters } from './paging.js';
import type { ReadRoute } from './routes.js';

const CHARACTERS_MAX = 16_000_000;
const ANSWERS_MAX = 20_000;

const expiries = new WeakMap<object, number>();

/**
 * Marks a response that depends only on its address and the documents, until a time (unix ms). It is cached until then
 * or until a document changes.
 */
export function cacheable<T extends object>(answer: T, until = Infinity): T {
  expiries.set(answer, until);
  return answer;
}

export const getCacheExpiry = (answer: unknown): number | undefined => expiries.get(answer as object);

export interface CachedResponse {
  readonly text: string;
  readonly etag: string;
  readonly until: number;
}

/** Undefined if the query has an undeclared parameter, because a stranger could fill the cache with variants. */
export function computeResponseCacheKey(
  { path, page, describe }: ReadRoute,
  params: ReadParameters,
  query: ReadParameters,
): string | undefined {
  const declared = describe.query ?? {};
  for (const [name, value] of Object.entries(query))
    if (!Object.hasOwn(declared, name) || typeof value !== 'string') return undefined;
  return JSON.stringify([
    path,
    page !== undefined,
    ...Object.values(params),
    ...Object.keys(declared).map(name => query[name]),
  ]);
}

export class ResponseCache {
  private readonly answers = new LRUCache<string, CachedResponse>({
    max: ANSWERS_MAX,
    maxSize: CHARACTERS_MAX,
    sizeCalculation: ({ text }, address) => address.length + text.length,
  });
  private version: unknown;

  get(address: string, version: unknown, now: number): CachedResponse | undefined {
    const response = version === this.version ? this.answers.get(address) : undefined;
    return response && now < response.until ? response : undefined;
  }

  put(address: string, version: unknown, answer: CachedResponse): void {
    if (version === undefined) return;
    if (version !== this.version) this.answers.clear();
    this.version = version;
    this.answers.set(address, answer);
  }
}
