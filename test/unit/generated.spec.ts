import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { generateFiles } from '#apps/generate/generated-files.js';

test('generated files match the features (`npm run generate` rewrites them)', async () => {
  for (const { file, text } of await generateFiles(path => readFileSync(path, 'utf8')))
    expect([file, readFileSync(file, 'utf8')]).toEqual([file, text]);
});
