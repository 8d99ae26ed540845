/** An event is some kilobytes; a line that is longer is of no event. */
const LINE_CHARACTERS_MAX = 4 * 1024 * 1024;

/** The lines of a body as they come. By a reader and not by `for await`, which not every browser has. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n');
    rest = lines.pop()!;
    if (rest.length > LINE_CHARACTERS_MAX) throw new Error('A line of the feed never ends.');
    yield* lines.filter(line => line !== '');
  }
  if (rest !== '') yield rest;
}
