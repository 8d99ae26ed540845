export const JSON_TYPE = 'application/json; charset=utf-8';

/** Headers of every read, also of a refused one: a cached answer must be validated before it is used again. */
export const NO_CACHE_HEADERS = { 'cache-control': 'no-cache', vary: 'accept, min-position' };
