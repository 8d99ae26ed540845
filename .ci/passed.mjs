import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Prints the test files that passed, by the JSON of a run. */
const text = readFileSync(process.argv[2], 'utf8');
for (const { name, status } of text ? JSON.parse(text).testResults : [])
  if (status === 'passed') console.log(relative('.', name));
