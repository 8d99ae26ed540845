import type { Findings } from '../findings.js';

/** A line longer than this holds no event: an append is at most a million bytes. */
const LINE_LENGTH_MAX = 8 * 1024 * 1024;

export class LineTooLong extends Error {}

/** The lines of a stream of UTF-8 bytes, without their LF; the last one needs none. Throws `LineTooLong`. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let begun = new LineBuffer();
  for await (const chunk of chunks) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    for (const part of parts.slice(0, -1)) {
      begun.add(part);
      yield begun.text;
      begun = new LineBuffer();
    }
    begun.add(parts.at(-1)!);
  }
  begun.add(decoder.decode());
  if (begun.text !== '') yield begun.text;
}

/** Put together once, at its end: a line that comes in many pieces is not copied with each of them. */
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

/** The JSON of a line, or undefined, with a finding that names the line. */
export function parseLine(line: string, number: number, findings: Findings): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    findings.add('source', `Line ${number} is no JSON.`);
    return undefined;
  }
}
