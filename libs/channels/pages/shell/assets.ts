import { createHash } from 'node:crypto';
import { isEtagMatch } from '#libs/http/response-headers.js';
import type { Path } from '#libs/kernel/page-paths.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Endpoint } from '#libs/endpoints/controller.js';
import { createQueryHandler } from '#libs/endpoints/handlers.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import { ICON } from '#libs/channels/pages/style/icon.js';
import { STYLE } from '#libs/channels/pages/style/style.js';
import { type ScriptModules, scriptModules } from './script-modules.js';

interface Asset {
  /** One buffer for all readers. */
  readonly bytes: Buffer;
  readonly type: string;
}

const CSS_TYPE = 'text/css; charset=utf-8';
const JAVASCRIPT_TYPE = 'text/javascript; charset=utf-8';
const SVG_TYPE = 'image/svg+xml';
const STYLE_NAME = 'style.css';
const ICON_NAME = 'icon.svg';
/** Names a set of files; not a security feature. */
const DIGEST_CHARACTERS = 16;

/**
 * Addresses contain a digest of all files, so files are cached forever, and modules import each other by relative
 * paths.
 */
export class Assets {
  private readonly files: ReadonlyMap<string, Asset>;
  readonly digest: string;

  private constructor({ files, entries }: ScriptModules) {
    this.entries = entries;
    const texts = [
      [STYLE_NAME, STYLE, CSS_TYPE],
      [ICON_NAME, ICON, SVG_TYPE],
      ...Object.entries(files).map(([name, text]) => [name, text, JAVASCRIPT_TYPE] as const),
    ] as const;
    this.files = new Map(texts.map(([name, text, type]) => [name, { bytes: Buffer.from(text), type }]));
    const hash = createHash('sha256');
    for (const [name, text] of texts) hash.update(JSON.stringify([name, text]));
    this.digest = hash.digest('hex').slice(0, DIGEST_CHARACTERS);
  }

  private readonly entries: ScriptModules['entries'];

  /** `scripts`: names of modules in `libs/channels/pages/scripts`. */
  static async load(scripts: readonly string[]): Promise<Assets> {
    return new Assets(await scriptModules(scripts));
  }

  get style(): Path {
    return this.addressOf(STYLE_NAME);
  }

  get icon(): Path {
    return this.addressOf(ICON_NAME);
  }

  script(name: string): Path {
    return this.addressOf(this.entries[name]!);
  }

  find(name: string): Asset | undefined {
    return this.files.get(name);
  }

  private addressOf(file: string): Path {
    return `/assets/${this.digest}/${file}`;
  }
}

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
