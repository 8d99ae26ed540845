import { parseJson } from '#libs/kernel/json.js';
import type { Findings } from '#libs/audit/findings.js';

/** Characters. An append has at most a million bytes. */
const LINE_LENGTH_MAX = 8 * 1024 * 1024;

export class LineTooLong extends Error {}

/** Splits UTF-8 at LF; the last line may lack it. Throws `LineTooLong`. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let line = new LineBuffer();
  for await (const chunk of chunks) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    for (const part of parts.slice(0, -1)) {
      line.add(part);
      yield line.text;
      line = new LineBuffer();
    }
    line.add(parts.at(-1)!);
  }
  line.add(decoder.decode());
  if (line.text !== '') yield line.text;
}

/** Joins once, so that a line in many chunks is not copied for each chunk. */
class LineBuffer {
  private readonly parts: string[] = [];
  private length = 0;

  get text(): string {
    return this.parts.join('');
  }

  add(part: string): void {
    this.length += part.length;
    if (this.length > LINE_LENGTH_MAX) throw new LineTooLong(`A line is longer than ${LINE_LENGTH_MAX} characters.`);
    this.parts.push(part);
  }
}

export function parseLine(line: string, number: number, findings: Findings): unknown {
  const value = parseJson(line);
  if (value === undefined) findings.add('source', `Line ${number} is not JSON.`);
  return value;
}
