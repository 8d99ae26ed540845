import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { PAGE_SCRIPTS } from '#libs/channels/pages/pages.js';
import { SITE_SCRIPT } from '#libs/channels/pages/shell/layout.js';
import { scriptModules } from '#libs/channels/pages/shell/script-modules.js';

/** Limit for the files that a page loads with its script. */
const OPENED_BYTES_MAX = 30_000;
/** Limit with files that it loads later, such as those for a payment. */
const BYTES_MAX = 60_000;
const IMPORTED = /["']\.\/([\w.-]+\.js)["']/g;
const IMPORTED_AT_ONCE = /\b(?:from|import)["']\.\/([\w.-]+\.js)["']/g;

const { files, entries } = await scriptModules(PAGE_SCRIPTS);

/** A file with all that it imports. */
function importedBy(file: string, pattern = IMPORTED, imported = new Set<string>()): ReadonlySet<string> {
  if (imported.has(file)) return imported;
  imported.add(file);
  for (const [, name] of files[file]!.matchAll(pattern)) importedBy(name!, pattern, imported);
  return imported;
}

function compressedBytes(script: string, pattern: RegExp): number {
  const imported = new Set([SITE_SCRIPT, script].flatMap(name => [...importedBy(entries[name]!, pattern)]));
  return [...imported].reduce((sum, file) => sum + gzipSync(files[file]!).length, 0);
}

test('every file is imported by the script of a page', () => {
  const imported = new Set(PAGE_SCRIPTS.flatMap(script => [...importedBy(entries[script]!)]));
  expect(Object.keys(files).filter(file => !imported.has(file))).toEqual([]);
});

test.each(PAGE_SCRIPTS)('the script %s is small, and so is what it loads later', script => {
  const opened = compressedBytes(script, IMPORTED_AT_ONCE);
  const all = compressedBytes(script, IMPORTED);
  expect(opened).toBeLessThanOrEqual(OPENED_BYTES_MAX);
  expect(all).toBeGreaterThan(opened);
  expect(all).toBeLessThanOrEqual(BYTES_MAX);
});
