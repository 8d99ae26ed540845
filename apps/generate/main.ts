/** Writes the generated files and prints those that it changes. */
import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { formatFile } from './format-file.js';
import { STREAM_LIST, streamList } from './stream-list.js';

function write(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
  process.stdout.write(`${file} changed\n`);
}

// The features import the list of streams, so it is written before they are loaded.
write(STREAM_LIST, await formatFile(STREAM_LIST, streamList()));
const { generateFiles } = await import('./generated-files.js');
for (const { file, text } of await generateFiles(path => readFileSync(path, 'utf8'))) write(file, text);
