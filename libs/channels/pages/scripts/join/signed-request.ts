import { ApiError } from '#libs/client/errors.js';
import type { MuseKey } from '#libs/client/keys.js';
import { randomText } from '#libs/client/random.js';
import type { JsonObject } from '#libs/kernel/json.js';

const TIMEOUT_MS = 30_000;
const NO_ANSWER = 'The service did not answer. Try again.';

export interface SentRequest {
  readonly path: string;
  readonly body: string;
  readonly answer: JsonObject;
}

/** Throws the service's sentence, with an `ApiError` as its cause, if it refuses. */
export async function sendSigned(
  key: MuseKey,
  endpoint: string,
  fields: { readonly [name: string]: string },
): Promise<SentRequest> {
  const addressed = { ...fields, origin: location.origin };
  const signed = await key.fields(endpoint, addressed, { timestamp: Date.now(), nonce: randomText() });
  const [path, body] = [`/api/${endpoint}`, JSON.stringify(signed)];
  const { response, answer } = await post(path, body).catch((error: unknown) => {
    throw new Error(NO_ANSWER, { cause: error });
  });
  if (response.ok) return { path, body, answer };
  const refusal = new ApiError(response.status, answer, response.headers);
  throw new Error(refusal.error, { cause: refusal });
}

async function post(path: string, body: string) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { response, answer: (await response.json()) as JsonObject };
}

/** Returns a shell command with the same request. */
export const toCurl = ({ path, body }: SentRequest) =>
  `curl -s ${location.origin}${path} -H 'content-type: application/json' -d '${body.replaceAll("'", String.raw`'\''`)}'`;
