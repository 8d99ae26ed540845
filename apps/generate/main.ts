/**
 * Writes what follows from the features' declarations, the client's operations and the tables of `docs/reference.md`, and
 * from one version of Unicode, the table of the characters that names are made of.
 */
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { STREAM_LIST, streamList } from './stream-list.js';

// The features import the list of streams, so it is written before they are loaded.
writeFileSync(STREAM_LIST, streamList());
const { generateFiles } = await import('./generated-files.js');
for (const { file, text } of await generateFiles(path => readFileSync(path, 'utf8'))) writeFileSync(file, text);
