import type { Findings } from '../findings.js';

/** A line longer than this holds no event: an append is at most a million bytes. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;

/** The lines of a stream of UTF-8 bytes, without their LF; the last one needs none. Throws a sentence for one too long. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop()!;
    if (rest.length > LINE_BYTES_MAX) throw new Error(`A line is longer than ${LINE_BYTES_MAX} bytes.`);
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** The JSON of a line, or undefined, with a finding that names the line. */
export function jsonOf(line: string, number: number, findings: Findings): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    findings.add('source', `Line ${number} is no JSON.`);
    return undefined;
  }
}
