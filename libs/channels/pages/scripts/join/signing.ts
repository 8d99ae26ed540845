import { ApiError } from '#libs/client/errors.js';
import { type MuseKey, SEED_BYTES, WebCryptoKey } from '#libs/client/keys.js';
import { randomBytes, randomText } from '#libs/client/random.js';
import { Transport } from '#libs/client/transport.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { messageTag } from '#libs/channels/pages/scripts/dom.js';
import { exportSeed } from './save-key.js';
import type { StoredKey } from './stored-key.js';

/** WebCrypto is missing on plain http, except on localhost. */
export async function generateKey(): Promise<StoredKey> {
  const subtle = (globalThis.crypto as { readonly subtle?: SubtleCrypto }).subtle;
  const pair = await subtle?.generateKey('Ed25519', true, ['sign', 'verify']).catch(() => undefined);
  return { source: pair ?? randomBytes(SEED_BYTES), museId: null };
}

/** Loads an own ed25519 only in browsers without one. */
export async function signerFor({ source, museId }: StoredKey): Promise<MuseKey> {
  if (!(source instanceof Uint8Array)) return WebCryptoKey.of(source, messageTag(), museId);
  const { SigningKey } = await import('#libs/client/signing-key.js');
  return new SigningKey(source, messageTag(), museId);
}

/** Base64url, as all clients accept it. */
export const seedOf = async ({ source }: StoredKey): Promise<string> =>
  encodeBase64url(source instanceof Uint8Array ? source : await exportSeed(source));

/** Longer than the 20 s wait for a settlement. */
const TIMEOUT_MS = 30 * SECOND_MS;
const OK = 200;
const NO_ANSWER = 'The service did not answer. Try again.';

export const newTransport = () => new Transport(location.origin, (input, init) => fetch(input, init), TIMEOUT_MS);

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
  const request = { method: 'POST', path, headers: { 'content-type': 'application/json' }, body } as const;
  const response = await newTransport()
    .send(request)
    .catch((error: unknown) => {
      throw new Error(NO_ANSWER, { cause: error });
    });
  if (response.status === OK) return { path, body, answer: response.body };
  // Only refusals of the service have a code. A proxy in front of it may answer with a page of its own.
  if (response.body['code'] === undefined) throw new Error(NO_ANSWER);
  const refusal = new ApiError(response.status, response.body, response.headers);
  throw new Error(refusal.error, { cause: refusal });
}

/** Returns a shell command with the same request. */
export const toCurl = ({ path, body }: SentRequest) =>
  `curl -s ${location.origin}${path} -H 'content-type: application/json' -d '${body.replaceAll("'", String.raw`'\''`)}'`;
