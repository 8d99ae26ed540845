import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { filesOf, textOf } from '../tidy.sources.js';
import { INTERFACE } from './interface.rows.js';
import { SUPPLEMENT } from './supplement.rows.js';

test('every test that a requirement names exists', () => {
  const named = [INTERFACE, SUPPLEMENT].flatMap(rows => Object.values(rows).flatMap(tests => Object.keys(tests)));
  const missing = named.filter(name => {
    const [file, title] = name.split(' > ');
    if (!existsSync(new URL(`../${file}`, import.meta.url))) return true;
    const text = textOf(`test/${file}`);
    return ![`'${title}'`, `\`${title}\``].some(quoted => text.includes(quoted));
  });
  expect(missing).toEqual([]);
});

test('every error code is named in a spec', () => {
  const texts = filesOf('test')
    .filter(path => path.endsWith('.spec.ts'))
    .map(textOf);
  const unnamed = Object.keys(ERROR_CODES).filter(code => !texts.some(text => text.includes(`'${code}'`)));
  expect(unnamed).toEqual([]);
});
