import type { JsonObject } from '#libs/kernel/json.js';

export const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

export async function readJsonBody(response: Response): Promise<JsonObject> {
  const value = parseJson(await readTextBody(response, ANSWER_BYTES_MAX));
  if (typeof value === 'object' && value !== null) return value as JsonObject;
  throw new Error(`The answer (status ${response.status}) is not a JSON object.`);
}

export async function readTextBody(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new Error(`The answer is longer than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
