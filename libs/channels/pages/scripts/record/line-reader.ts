/** Events have a few kilobytes, so a longer line is an error. */
const LINE_CHARACTERS_MAX = 4 * 1024 * 1024;

/** Uses a reader, since some browsers cannot iterate over a body. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n');
    rest = lines.pop()!;
    if (rest.length > LINE_CHARACTERS_MAX) throw new Error('A line of the feed is too long.');
    yield* lines.filter(line => line !== '');
  }
  if (rest !== '') yield rest;
}
