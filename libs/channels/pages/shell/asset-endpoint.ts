import { isEtagMatch } from '#libs/http/response-headers.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Endpoint } from '#libs/endpoints/controller.js';
import { createQueryHandler } from '#libs/endpoints/handlers.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import { ICON } from '../style/icon.js';
import { Assets, SVG_TYPE } from './assets.js';

const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const DAY_CACHE = 'public, max-age=86400';

const { query, provider } = createQueryHandler(
  'asset',
  { assets: Assets },
  ({ request, reply }: HttpExchange, uses) => {
    const { assets } = uses as { readonly assets: Assets };
    const { digest, file } = request.params as { readonly digest: string; readonly file: string };
    const asset = assets.find(file);
    if (!asset) throw new Refusal('not_found', 'This file does not exist.');
    const etag = `"${assets.digest}"`;
    // A page of another version of the service gets the current file, uncached.
    void reply.headers({
      etag,
      'cache-control': digest === assets.digest ? CACHE_FOREVER : 'no-cache',
      'content-type': asset.type,
    });
    if (!isEtagMatch(request.headers['if-none-match'], etag)) return asset.bytes;
    void reply.status(304);
    return '';
  },
);

const endpoint: Endpoint = {
  name: 'asset',
  method: 'GET',
  path: '/assets/:digest/:file',
  settings: {},
  isSent: true,
  handle: ({ queries }, http) => queries.execute(new query(http)),
};

/** For programs that ignore the link to the icon. */
const favicon: Endpoint = {
  name: 'favicon',
  method: 'GET',
  path: '/favicon.ico',
  settings: {},
  isSent: true,
  handle: (_buses, { reply }) => {
    void reply.headers({ 'content-type': SVG_TYPE, 'cache-control': DAY_CACHE });
    return Promise.resolve(ICON);
  },
};

export const assetEndpoints = { endpoints: [endpoint, favicon], provider };
