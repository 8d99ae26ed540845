import { keyId } from '#libs/issuer/issuer.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { FieldRefusal, Refusal } from '#libs/kernel/refusal.js';
import { parseLink } from '#libs/kernel/url.js';
import { type FailureReason, failureText, fieldReasonOf } from '#libs/platform/safe-fetch/failure.js';
import type { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { importPublicKey } from '#libs/platform/signing/ed25519.js';

/** Source: draft-meunier-http-message-signatures-directory. */
const PATH = '/.well-known/http-message-signatures-directory';
const ACCEPT = 'application/http-message-signatures-directory+json, application/jwk-set+json, application/json';
const BYTES_MAX = 64 * 1024;
/** Times from here on are in milliseconds: directories use both units. */
const MILLISECONDS_FROM = 100_000_000_000;

export interface Operator {
  /** The host, with any port other than the default. */
  readonly domain: string;
  readonly directory: string;
}

/** Throws a 400 for `signature-agent` if it is not a fetchable address. */
export function operatorOf(agent: string, safeFetch: SafeFetch): Operator {
  const link = parseLink(agent);
  if ('fault' in link) refuseAgent(link.fault);
  const failure = safeFetch.checkUrl(new URL(PATH, link.href).href)?.reason;
  if (failure && failure !== 'private_address') refuseAgent(failure);
  const { href, host } = new URL(PATH, link.href);
  return { domain: host.replace(/\.(?=:|$)/, ''), directory: href };
}

function refuseAgent(failure: FailureReason): never {
  const sentence = `\`signature-agent\` must be an https address: ${failureText(failure)}.`;
  throw new FieldRefusal('signature-agent', sentence, fieldReasonOf(failure));
}

/**
 * Finds a key of the directory by its thumbprint (RFC 7638) or its `kid`. Refuses with `directory_unreachable` and
 * `operator_key_unknown`.
 *
 * @param now unix ms
 */
export async function keyOf(
  { directory, domain }: Operator,
  keyid: string,
  now: number,
  read: { readonly safeFetch: SafeFetch; readonly account: string },
): Promise<string> {
  const keys = await keysOf(directory, read);
  const match = keys.find(key => key.isValid(now) && [key.kid, keyId(key.publicKey)].includes(keyid));
  if (match) return match.publicKey;
  throw new Refusal('operator_key_unknown', `The directory of ${domain} has no valid ed25519 key ${keyid}.`);
}

interface DirectoryKey {
  readonly publicKey: string;
  readonly kid: unknown;
  isValid(now: number): boolean;
}

async function keysOf(
  directory: string,
  { safeFetch, account }: { readonly safeFetch: SafeFetch; readonly account: string },
): Promise<DirectoryKey[]> {
  const response = await safeFetch.fetch(directory, {
    account,
    accept: ACCEPT,
    bytesMax: BYTES_MAX,
    keepBytesMax: BYTES_MAX,
  });
  const keys = response.ok ? keysIn(response.body?.toString('utf8') ?? '') : null;
  if (keys) return keys.flatMap(key => keyIn(key) ?? []);
  const problem = response.ok ? 'it is not a JWK set' : failureText(response.reason, response.status);
  throw new Refusal('directory_unreachable', `The key directory ${directory} cannot be read: ${problem}.`);
}

/** Members of a JWK set (RFC 7517, 5); null for anything else. */
function keysIn(text: string): unknown[] | null {
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    return Array.isArray(keys) ? keys : null;
  } catch {
    return null;
  }
}

/** A strong ed25519 key (RFC 8037, 2). Other kinds of keys are skipped. */
function keyIn(value: unknown): DirectoryKey | null {
  const { kty, crv, x, kid, nbf, exp } = (value ?? {}) as { readonly [name: string]: unknown };
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || !importPublicKey(x)) return null;
  return {
    publicKey: x,
    kid,
    isValid: now => (millisecondsOf(nbf) ?? 0) <= now && now < (millisecondsOf(exp) ?? Infinity),
  };
}

const millisecondsOf = (time: unknown) =>
  typeof time !== 'number' ? undefined : time < MILLISECONDS_FROM ? time * SECOND_MS : time;
