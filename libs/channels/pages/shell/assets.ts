import { createHash } from 'node:crypto';
import type { Path } from '#libs/kernel/page-paths.js';
import { ICON } from '../style/icon.js';
import { STYLE } from '../style/style.js';
import { type ScriptModules, scriptModules } from './script-modules.js';

export interface Asset {
  /** Sent to every reader from the same memory. */
  readonly bytes: Buffer;
  readonly type: string;
}

const CSS_TYPE = 'text/css; charset=utf-8';
const JAVASCRIPT_TYPE = 'text/javascript; charset=utf-8';
const SVG_TYPE = 'image/svg+xml';
const STYLE_NAME = 'style.css';
const ICON_NAME = 'icon.svg';
/** Of 64: names a set of files, and proves nothing. */
const DIGEST_CHARACTERS = 16;

/**
 * The files that pages load, under a name of all of them together: a file never changes under its address, so it is
 * kept for ever, and one module finds another beside it.
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

  /** `scripts`: names of modules in `libs/channels/pages/scripts`. Throws where one is not there. */
  static async load(scripts: readonly string[]): Promise<Assets> {
    return new Assets(await scriptModules(scripts));
  }

  get style(): Path {
    return this.addressOf(STYLE_NAME);
  }

  get icon(): Path {
    return this.addressOf(ICON_NAME);
  }

  /** Where a script of `libs/channels/pages/scripts` is loaded from. */
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
