import { createHash } from 'node:crypto';
import type { Path } from '#libs/kernel/page-paths.js';
import { ICON } from '../style/icon.js';
import { STYLE } from '../style/style.js';
import { type ScriptModules, scriptModules } from './script-modules.js';

export interface Asset {
  /** One buffer for all readers. */
  readonly bytes: Buffer;
  readonly type: string;
}

const CSS_TYPE = 'text/css; charset=utf-8';
const JAVASCRIPT_TYPE = 'text/javascript; charset=utf-8';
export const SVG_TYPE = 'image/svg+xml';
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
      ...[...files].map(([name, text]) => [name, text, JAVASCRIPT_TYPE] as const),
    ] as const;
    this.files = new Map(texts.map(([name, text, type]) => [name, { bytes: Buffer.from(text), type }]));
    const hash = createHash('sha256');
    for (const [name, text] of texts) hash.update(JSON.stringify([name, text]));
    this.digest = hash.digest('hex').slice(0, DIGEST_CHARACTERS);
  }

  private readonly entries: ReadonlyMap<string, string>;

  /** `scripts`: names of modules in `libs/channels/pages/scripts`. Throws if one does not exist. */
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
    return this.addressOf(this.entries.get(name)!);
  }

  find(name: string): Asset | undefined {
    return this.files.get(name);
  }

  private addressOf(file: string): Path {
    return `/assets/${this.digest}/${file}`;
  }
}
