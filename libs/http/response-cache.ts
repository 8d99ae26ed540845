import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Clock } from '#libs/kernel/clock.js';
import { isEtagMatch, JSON_TYPE, NO_CACHE_HEADERS } from './response-headers.js';
import type { ReadParameters } from './paging.js';
import { type ReadRoute, settingsOf } from './routes.js';

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

export function findCachedResponse(
  request: FastifyRequest,
  { models, answers, clock }: { readonly models: ReadModels; readonly answers: ResponseCache; readonly clock: Clock },
): CachedResponse | undefined {
  const { read } = settingsOf(request);
  if (!read || request.method !== 'GET' || request.headers['min-position'] !== undefined) return undefined;
  const cacheKey = computeResponseCacheKey(read, request.params as ReadParameters, request.query as ReadParameters);
  if (cacheKey === undefined) return undefined;
  request.cacheKey = cacheKey;
  request.version = models.version();
  return answers.get(cacheKey, request.version, clock.now());
}

export function sendCachedResponse({ etag, text }: CachedResponse, request: FastifyRequest, reply: FastifyReply): void {
  request.isAnswered = true;
  const isSame = isEtagMatch(request.headers['if-none-match'], etag);
  void reply.headers({ etag, ...NO_CACHE_HEADERS });
  if (isSame) void reply.code(304).send();
  else void reply.headers(headersOf(settingsOf(request).read!, request)).send(text);
}

const headersOf = ({ page }: ReadRoute, { server }: FastifyRequest) =>
  page ? server.htmlPresenter.headers(page) : { 'content-type': JSON_TYPE };
