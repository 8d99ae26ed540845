import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { splitLines } from '#libs/audit/sources/lines.js';
import type { FileChecksum } from './format.js';

const FILE_MODE = 0o600;
const CHUNK_BYTES = 256 * 1024;

export async function writeLines(file: string, values: AsyncIterable<object>): Promise<FileChecksum> {
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', FILE_MODE);
  let [count, bytes, buffered] = [0, 0, ''];
  const flush = async () => {
    const chunk = Buffer.from(buffered, 'utf8');
    buffered = '';
    hash.update(chunk);
    bytes += chunk.byteLength;
    await handle.appendFile(chunk);
  };
  try {
    for await (const value of values) {
      buffered += `${JSON.stringify(value)}\n`;
      count += 1;
      if (buffered.length >= CHUNK_BYTES) await flush();
    }
    await flush();
    await handle.sync();
    return { count, bytes, sha256: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

export async function* readLines<T extends object>(file: string): AsyncGenerator<T> {
  let number = 0;
  for await (const line of splitLines(createReadStream(file))) {
    number += 1;
    yield parseObject<T>(line, `Line ${number} of ${file}`);
  }
}

function parseObject<T extends object>(line: string, location: string): T {
  try {
    const value = JSON.parse(line) as T | null;
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new Error(`${location} is not a JSON object: the backup was changed or is damaged. Use another backup.`);
}

export async function checksumOf(file: string): Promise<Omit<FileChecksum, 'count'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}
