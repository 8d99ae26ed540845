import type { MuseKey } from '#libs/client/keys.js';
import { randomText } from '#libs/client/random.js';

const TIMEOUT_MS = 30_000;

export interface SentRequest {
  readonly path: string;
  readonly body: string;
  readonly answer: { readonly [name: string]: unknown };
}

/** Throws the service's sentence if it refuses. */
export async function sendSigned(
  key: MuseKey,
  endpoint: string,
  fields: { readonly [name: string]: string },
): Promise<SentRequest> {
  const addressed = { ...fields, origin: location.origin };
  const signed = await key.fields(endpoint, addressed, { timestamp: Date.now(), nonce: randomText() });
  const [path, body] = [`/api/${endpoint}`, JSON.stringify(signed)];
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = (await response.json()) as SentRequest['answer'] & { readonly error?: string };
  if (!response.ok) throw new Error(answer.error ?? `The service answered ${response.status}.`);
  return { path, body, answer };
}

/** Returns a shell command with the same request. */
export const toCurl = ({ path, body }: SentRequest) =>
  `curl -s ${location.origin}${path} -H 'content-type: application/json' -d '${body.replaceAll("'", String.raw`'\''`)}'`;
