import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { generateFiles } from '#apps/generate/generated-files.js';

test('the clients and the tables of `docs/reference.md` are what the features declare; `npm run generate` makes them so', async () => {
  for (const { file, text } of await generateFiles(path => readFileSync(path, 'utf8')))
    expect([file, readFileSync(file, 'utf8')]).toEqual([file, text]);
});
