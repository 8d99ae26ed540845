import { expect, test } from '@jest/globals';
import { computeResponseCacheKey, getCacheExpiry, ResponseCache, cacheable } from '#libs/http/response-cache.js';
import type { ReadRoute } from '#libs/http/routes.js';

const NOW = 1_000;

const answer = (text: string, until = Infinity) => ({ text, etag: `"${text}"`, until });

test('an answer lasts while the documents are of the version that it was made from', () => {
  const answers = new ResponseCache();
  answers.put('/a', '1', answer('one'));
  expect(answers.get('/a', '1', NOW)).toEqual(answer('one'));
  expect(answers.get('/a', '2', NOW)).toBeUndefined();
});

test('an answer that the clock changes lasts until then', () => {
  const answers = new ResponseCache();
  answers.put('/a', '1', answer('one', NOW + 1));
  expect(answers.get('/a', '1', NOW)).toEqual(answer('one', NOW + 1));
  expect(answers.get('/a', '1', NOW + 1)).toBeUndefined();
});

test('an answer of a newer version takes the place of all older ones', () => {
  const answers = new ResponseCache();
  answers.put('/a', '1', answer('one'));
  answers.put('/b', '2', answer('two'));
  expect([answers.get('/a', '2', NOW), answers.get('/b', '2', NOW)]).toEqual([undefined, answer('two')]);
});

test('documents without a version make no answer last', () => {
  const answers = new ResponseCache();
  answers.put('/a', undefined, answer('one'));
  expect(answers.get('/a', undefined, NOW)).toBeUndefined();
});

test('more characters than are kept make room by letting go of what was there', () => {
  const answers = new ResponseCache();
  const half = 'x'.repeat(9_000_000);
  answers.put('/a', '1', answer(half));
  answers.put('/b', '1', answer(half));
  expect([answers.get('/a', '1', NOW)?.etag, answers.get('/b', '1', NOW)?.etag.length]).toEqual([
    undefined,
    half.length + 2,
  ]);
});

test('addresses count too: long ones make room as long answers do', () => {
  const answers = new ResponseCache();
  const address = (n: number) => `${n}${'x'.repeat(1_000_000)}`;
  for (let n = 0; n < 40; n += 1) answers.put(address(n), '1', answer('one'));
  const kept = Array.from({ length: 40 }, (_, n) => answers.get(address(n), '1', NOW)).filter(Boolean);
  expect([kept.length, answers.get(address(39), '1', NOW)]).toEqual([15, answer('one')]);
});

test('of many short answers the newest are kept, and those that are asked for', () => {
  const answers = new ResponseCache();
  for (let n = 0; n < 30_000; n += 1) {
    answers.put(`/${n}`, '1', answer(''));
    answers.get('/0', '1', NOW);
  }
  expect([answers.get('/0', '1', NOW), answers.get('/1', '1', NOW)]).toEqual([answer(''), undefined]);
});

test('the address of an answer is its route with what the route knows, in whatever order it was sent', () => {
  const route = { path: '/api/role/:slug', describe: { query: { after: {}, limit: {} } } } as unknown as ReadRoute;
  const one = computeResponseCacheKey(route, { slug: 'a' }, { limit: '2', after: 'x' });
  expect(computeResponseCacheKey(route, { slug: 'a' }, { after: 'x', limit: '2' })).toBe(one);
  const others = [
    computeResponseCacheKey(route, { slug: 'a' }, { after: '2', limit: 'x' }),
    computeResponseCacheKey(route, { slug: 'b' }, {}),
  ];
  expect(new Set([one, ...others, computeResponseCacheKey(route, { slug: 'a","b' }, {})]).size).toBe(4);
});

test('a page at the address of a read is another answer', () => {
  const read = { path: '/', describe: {} } as unknown as ReadRoute;
  expect(computeResponseCacheKey({ ...read, page: { asksChains: false } }, {}, {})).not.toBe(
    computeResponseCacheKey(read, {}, {}),
  );
});

test('a question with a parameter that the route does not know, or with one twice, has no address', () => {
  const route = { path: '/api/feed', describe: { query: { limit: {} } } } as unknown as ReadRoute;
  for (const query of [{ x: '1' }, { limit: ['1', '2'] }, { constructor: 'a' }, { limit: '1', __proto__x: '' }])
    expect(computeResponseCacheKey(route, {}, query)).toBeUndefined();
  expect(
    computeResponseCacheKey({ path: '/api/stats', describe: {} } as unknown as ReadRoute, {}, { x: '1' }),
  ).toBeUndefined();
});

test('only what a handler says follows from documents lasts, for good or until a time', () => {
  expect(getCacheExpiry({ items: [] })).toBeUndefined();
  expect(getCacheExpiry(cacheable({ items: [] }))).toBe(Infinity);
  expect(getCacheExpiry(cacheable({ items: [] }, NOW))).toBe(NOW);
});
