export const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers of every read and its failures: caches must revalidate. */
export const NO_CACHE_HEADERS = { 'cache-control': 'no-cache', vary: 'accept, min-position' };
