import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Clock } from '#libs/kernel/clock.js';
import { JSON_TYPE, NO_CACHE_HEADERS } from './response-headers.js';
import { isEtagMatch } from './etag.js';
import { computeResponseCacheKey, type CachedResponse, type ResponseCache } from './response-cache.js';
import type { ReadParameters } from './paging.js';
import { type ReadRoute, settingsOf } from './routes.js';

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
