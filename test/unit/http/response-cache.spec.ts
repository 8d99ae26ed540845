import { expect, test } from '@jest/globals';
import { computeResponseCacheKey, getCacheExpiry, ResponseCache, cacheable } from '#libs/http/response-cache.js';
import type { ReadRoute } from '#libs/http/routes.js';

const NOW = 1_000;

const answer = (text: string, until = Infinity) => ({ text, etag: `"${text}"`, until });

test('a cached response is valid for the version of its documents', () => {
  const answers = new ResponseCache();
  answers.put('/a', '1', answer('one'));
  expect(answers.get('/a', '1', NOW)).toEqual(answer('one'));
  expect(answers.get('/a', '2', NOW)).toBeUndefined();
});

test('a cached response that depends on the clock expires at its time', () => {
  const answers = new ResponseCache();
  answers.put('/a', '1', answer('one', NOW + 1));
  expect(answers.get('/a', '1', NOW)).toEqual(answer('one', NOW + 1));
  expect(answers.get('/a', '1', NOW + 1)).toBeUndefined();
});

test('a response of a newer version replaces all older responses', () => {
  const answers = new ResponseCache();
  answers.put('/a', '1', answer('one'));
  answers.put('/b', '2', answer('two'));
  expect([answers.get('/a', '2', NOW), answers.get('/b', '2', NOW)]).toEqual([undefined, answer('two')]);
});

test('does not cache responses of documents without a version', () => {
  const answers = new ResponseCache();
  answers.put('/a', undefined, answer('one'));
  expect(answers.get('/a', undefined, NOW)).toBeUndefined();
});

test('evicts older responses when the size limit is exceeded', () => {
  const answers = new ResponseCache();
  const half = 'x'.repeat(9_000_000);
  answers.put('/a', '1', answer(half));
  answers.put('/b', '1', answer(half));
  expect([answers.get('/a', '1', NOW)?.etag, answers.get('/b', '1', NOW)?.etag.length]).toEqual([
    undefined,
    half.length + 2,
  ]);
});

test('counts long cache keys towards the size limit', () => {
  const answers = new ResponseCache();
  const address = (n: number) => `${n}${'x'.repeat(1_000_000)}`;
  for (let n = 0; n < 40; n += 1) answers.put(address(n), '1', answer('one'));
  const kept = Array.from({ length: 40 }, (_, n) => answers.get(address(n), '1', NOW)).filter(Boolean);
  expect([kept.length, answers.get(address(39), '1', NOW)]).toEqual([15, answer('one')]);
});

test('keeps the newest and the recently read of many short responses', () => {
  const answers = new ResponseCache();
  for (let n = 0; n < 30_000; n += 1) {
    answers.put(`/${n}`, '1', answer(''));
    answers.get('/0', '1', NOW);
  }
  expect([answers.get('/0', '1', NOW), answers.get('/1', '1', NOW)]).toEqual([answer(''), undefined]);
});

test('the cache key contains the route and its known parameters in any order', () => {
  const route = { path: '/api/role/:slug', describe: { query: { after: {}, limit: {} } } } as unknown as ReadRoute;
  const one = computeResponseCacheKey(route, { slug: 'a' }, { limit: '2', after: 'x' });
  expect(computeResponseCacheKey(route, { slug: 'a' }, { after: 'x', limit: '2' })).toBe(one);
  const others = [
    computeResponseCacheKey(route, { slug: 'a' }, { after: '2', limit: 'x' }),
    computeResponseCacheKey(route, { slug: 'b' }, {}),
  ];
  expect(new Set([one, ...others, computeResponseCacheKey(route, { slug: 'a","b' }, {})]).size).toBe(4);
});

test('a page and the JSON response of a path have different cache keys', () => {
  const read = { path: '/', describe: {} } as unknown as ReadRoute;
  expect(computeResponseCacheKey({ ...read, page: { asksChains: false } }, {}, {})).not.toBe(
    computeResponseCacheKey(read, {}, {}),
  );
});

test('a request with an unknown or repeated parameter has no cache key', () => {
  const route = { path: '/api/feed', describe: { query: { limit: {} } } } as unknown as ReadRoute;
  for (const query of [{ x: '1' }, { limit: ['1', '2'] }, { constructor: 'a' }, { limit: '1', __proto__x: '' }])
    expect(computeResponseCacheKey(route, {}, query)).toBeUndefined();
  expect(
    computeResponseCacheKey({ path: '/api/stats', describe: {} } as unknown as ReadRoute, {}, { x: '1' }),
  ).toBeUndefined();
});

test('caches only responses that a handler marks as cacheable', () => {
  expect(getCacheExpiry({ items: [] })).toBeUndefined();
  expect(getCacheExpiry(cacheable({ items: [] }))).toBe(Infinity);
  expect(getCacheExpiry(cacheable({ items: [] }, NOW))).toBe(NOW);
});
