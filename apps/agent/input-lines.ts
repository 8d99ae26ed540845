import type { Readable } from 'node:stream';

/**
 * Hands out each line of an input, also an unfinished last one, until the input or `signal` ends. `node:readline`
 * would also split at U+2028, which may stand within JSON.
 */
export async function readLines(input: Readable, signal: AbortSignal, take: (line: string) => void): Promise<void> {
  let begun = '';
  const split = (chunk: string) => {
    const lines = (begun + chunk).split('\n');
    begun = lines.pop()!;
    lines.forEach(take);
  };
  input.setEncoding('utf8').on('data', split);
  await new Promise<void>(resolve => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve());
  });
  input.off('data', split).pause();
  take(begun);
}
