import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url).pathname;
const GUIDE = readFileSync(join(ROOT, 'docs', 'operating.md'), 'utf8');
const ROWS = GUIDE.split('## Troubleshooting')[1]!
  .split('\n## ')[0]!
  .matchAll(/^\| (.+?) +\|/gm);
const QUOTES = [...ROWS].flatMap(([, symptom]) => [...symptom!.matchAll(/"([^"]+)"/g)].map(([, quote]) => quote!));

/** The texts of all sources, with texts joined that are written over several lines. */
const SOURCE = ['apps', 'libs']
  .flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => join(folder, file)),
  )
  .filter(file => /\.tsx?$/.test(file))
  .map(file => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')
  .replace(/['`] \+\s*['`]/g, '');

test('the guide quotes messages', () => expect(QUOTES.length).toBeGreaterThan(5));

test.each(QUOTES)('the message "%s" of the guide is worded so in the source', quote => {
  const parts = quote.split('…').map(part => part.trim());
  expect(parts.filter(part => !SOURCE.includes(part))).toEqual([]);
});
