import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { textOf } from '../tidy.sources.js';
import { rows } from './rows.js';

const all = rows();
const named = all.flatMap(({ test }) => (test === null ? [] : [test]));

test('every row names a test', () => {
  const open = all.filter(({ test }) => test === null);
  expect(open.map(({ section, item }) => `${section}: ${item}`)).toEqual([]);
});

test('every named test exists', () => {
  const missing = [...new Set(named)].filter(name => {
    const [file, title] = name.split(' > ') as [string, string | undefined];
    if (!existsSync(new URL(`../${file}`, import.meta.url))) return true;
    const text = textOf(`test/${file}`);
    return title !== undefined && ![`'${title}'`, `\`${title}\``].some(quoted => text.includes(quoted));
  });
  expect(missing).toEqual([]);
});

test('every row is unique', () => {
  const keys = all.map(({ section, kind, item, test }) => `${section} ${kind} ${item} ${test}`);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});
