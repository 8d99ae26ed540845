/** Writes the generated files. */
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { STREAM_LIST, streamList } from './stream-list.js';

// The features import the list of streams, so it is written before they are loaded.
writeFileSync(STREAM_LIST, streamList());
const { generateFiles } = await import('./generated-files.js');
for (const { file, text } of await generateFiles(path => readFileSync(path, 'utf8'))) writeFileSync(file, text);
