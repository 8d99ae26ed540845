import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;

/**
 * Tells of each line that is no JSON: the SDK's transport leaves it out without a word, so this reads beside it, within
 * its limit on a line. Answers what ends it.
 */
export function watchUnread(input: Readable, unread: () => void): () => void {
  let begun: Buffer = Buffer.alloc(0);
  const look = (chunk: Buffer) => {
    const read = Buffer.concat([begun, chunk]);
    const end = read.lastIndexOf(NEWLINE) + 1;
    begun = read.subarray(end);
    const lines = read.toString('utf8', 0, end).split('\n');
    for (const line of lines) if (line.trim() !== '' && !isJson(line)) unread();
  };
  input.on('data', look);
  return () => void input.off('data', look).pause();
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
