import { brotliCompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { PAGES } from '#libs/channels/pages/pages.js';
import { SITE_SCRIPT } from '#libs/channels/pages/shell/layout.js';
import { scriptModules } from '#libs/channels/pages/shell/script-modules.js';

/** As proxies compress files for browsers. */
const BYTES_MAX = 60_000;
/** Comments of packages show imports too. */
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const LOADED = /(?<!\.)\b(?:from|import)\s*["']\.\/([^"']+)["']/g;

const scripts = [...new Set(PAGES.flatMap(({ scripts = [] }) => scripts))];
const { files, entries } = await scriptModules([SITE_SCRIPT, ...scripts]);

/** Files that a page loads with a script, without those that it may load later. */
function loadedWith(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const [, imported] of files.get(file)!.replace(COMMENTS, '').matchAll(LOADED)) loadedWith(imported!, loaded);
  return loaded;
}

test.each(scripts)(`the script %s loads at most ${BYTES_MAX} compressed bytes`, script => {
  const loaded = new Set([SITE_SCRIPT, script].flatMap(name => [...loadedWith(entries.get(name)!)]));
  const bytes = [...loaded].reduce((sum, file) => sum + brotliCompressSync(files.get(file)!).length, 0);
  expect(loaded.size).toBeGreaterThan(1);
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
});
