/** Reads UTF-8, unless it is longer than a limit. */
export async function readText(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
  makeError: () => Error,
): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw makeError();
    read.push(chunk);
  }
  return Buffer.concat(read).toString('utf8');
}
