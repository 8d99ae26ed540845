import type { Readable } from 'node:stream';

/**
 * Emits each line, including an unfinished last line. `node:readline` would also split at U+2028, which JSON may
 * contain.
 */
export async function readLines(input: Readable, signal: AbortSignal, take: (line: string) => void): Promise<void> {
  let partialLine = '';
  const split = (chunk: string) => {
    const lines = (partialLine + chunk).split('\n');
    partialLine = lines.pop()!;
    lines.forEach(take);
  };
  input.setEncoding('utf8').on('data', split);
  await new Promise<void>(resolve => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve());
  });
  input.off('data', split).pause();
  take(partialLine);
}
