import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { splitLines } from '#libs/audit/sources/lines.js';
import type { FileChecksum } from './format.js';

/** Nobody but their owner reads the files of a backup. */
const FILE_MODE = 0o600;
/** How much is gathered before it is written. */
const CHUNK_BYTES = 256 * 1024;

/** Writes values as lines of JSON into a new file; when it answers, their bytes are on the disk. */
export async function writeLines(file: string, values: AsyncIterable<object>): Promise<FileChecksum> {
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', FILE_MODE);
  let [count, bytes, waiting] = [0, 0, ''];
  const flush = async () => {
    const chunk = Buffer.from(waiting, 'utf8');
    waiting = '';
    hash.update(chunk);
    bytes += chunk.byteLength;
    await handle.appendFile(chunk);
  };
  try {
    for await (const value of values) {
      waiting += `${JSON.stringify(value)}\n`;
      count += 1;
      if (waiting.length >= CHUNK_BYTES) await flush();
    }
    await flush();
    await handle.sync();
    return { count, bytes, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

/** Reads a file of lines once. Throws a sentence for a line that is no JSON object. */
export async function* readLines<T extends object>(file: string): AsyncGenerator<T> {
  let number = 0;
  for await (const line of splitLines(createReadStream(file))) {
    number += 1;
    yield parseObject<T>(line, `${file}, line ${number}`);
  }
}

function parseObject<T extends object>(line: string, where: string): T {
  try {
    const value = JSON.parse(line) as T | null;
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The sentence is the same for both.
  }
  throw new Error(`${where} is no JSON object: the backup was changed or is damaged.`);
}

/** The bytes of a file and their sha256, lower-case hex. */
export async function checksumOf(file: string): Promise<Omit<FileChecksum, 'count'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}
