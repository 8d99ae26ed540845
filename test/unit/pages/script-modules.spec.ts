import { expect, test } from '@jest/globals';
import { importsIn } from '#libs/channels/pages/shell/script-modules.js';

const specifiers = (text: string) => [...importsIn(text)].map(([, , , specifier]) => specifier);

test('finds every form of import that the compiler writes', () => {
  const text = `import { a } from './a.js';import './b.js';export * from"#libs/c.js";const d = await import('d');`;
  expect(specifiers(text)).toEqual(['./a.js', './b.js', '#libs/c.js', 'd']);
});

test('does not take the word from in a string for an import', () => {
  expect(specifiers(`const TYPES = [{ name: 'from', type: 'address' }, { name: "from", type: "to" }];`)).toEqual([]);
  expect(specifiers(`const TITLE = { title: 'What it comes from', empty: 'None.' };`)).toEqual([]);
});
