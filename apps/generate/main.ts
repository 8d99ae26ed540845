/** Writes the generated files and prints those that it changes. */
import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { formatFile } from './format-file.js';
import { STREAM_LIST, streamList } from './stream-list.js';

/** Not committed: the build makes them again. Here they are for work on the client. */
const PYTHON_CLIENT = 'libs/client-python/src/agent_job_network';

function write(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
  process.stdout.write(`${file} changed\n`);
}

// The features import the list of streams, so it is written before they are loaded.
write(STREAM_LIST, await formatFile(STREAM_LIST, streamList()));
const { generateFiles } = await import('./generated-files.js');
const { pythonFiles } = await import('./python-files.js');
const read = (path: string) => readFileSync(path, 'utf8');
for (const { file, text } of await generateFiles(read)) write(file, text);
for (const [file, text] of Object.entries(pythonFiles(read(`${PYTHON_CLIENT}/async_client.py`))))
  write(`${PYTHON_CLIENT}/${file}`, text);
