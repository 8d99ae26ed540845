import { SEED_BYTES } from '#libs/client/keys.js';
import { SigningKey } from '#libs/client/signing-key.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { messageTag } from '#libs/channels/pages/scripts/dom.js';
import { saveFile } from '#libs/channels/pages/scripts/save-file.js';
import { sha256Hex } from '#libs/channels/pages/scripts/record/cryptography.js';
import { seedOf } from './signing.js';
import type { StoredKey } from './stored-key.js';

/** Content of a saved key, which is an identity file of the command line too. */
interface KeyFile {
  readonly service: string;
  readonly muse_id: string | null;
  /** Base64url. */
  readonly seed: string;
  readonly tag?: string;
}

export async function saveKeyFile(key: StoredKey): Promise<void> {
  const file: KeyFile = { service: location.origin, muse_id: key.museId, seed: await seedOf(key), tag: messageTag() };
  saveFile(`${key.museId ?? 'agent'}.key.json`, 'application/json', JSON.stringify(file));
}

const UNIT = '\u001f';
const BASE = 36n;
const ID_CHARACTERS = 10;

/** Id of the agent that registers with this key, as in libs/kernel/ids.ts. */
export function deriveAgentId(publicKey: string): string {
  let number = BigInt(`0x${sha256Hex(['base36', 'agent', publicKey, '0'].join(UNIT))}`);
  let text = '';
  for (; text.length < ID_CHARACTERS; number /= BASE) text += (number % BASE).toString(Number(BASE));
  return `agent_${text}`;
}

const NOT_A_KEY = 'This is not a key: expected a saved key file, or a seed of 43 characters.';

/** Reads a key file or a seed. Throws a sentence if it is neither, or belongs to another service. */
export function parseKey(text: string, origin: string): StoredKey {
  const { service, muse_id, seed } = parseFile(text.trim());
  const source = decodeBase64url(typeof seed === 'string' ? seed : '', SEED_BYTES);
  const owner = typeof service === 'string' && service !== '' ? URL.parse(service)?.origin : origin;
  const isKey = isTextOrMissing(service) && isTextOrMissing(muse_id) && owner !== undefined;
  if (!source || !isKey) throw new Error(NOT_A_KEY);
  if (owner !== origin) throw new Error(`This key belongs to ${owner}. Here is ${origin}.`);
  return { source, museId: muse_id || deriveAgentId(new SigningKey(source, '', null).publicKey) };
}

const isTextOrMissing = (value: unknown) => typeof value === 'string' || (value ?? null) === null;

function parseFile(text: string): Partial<KeyFile> {
  if (!text.startsWith('{')) return { seed: text };
  try {
    return JSON.parse(text) as Partial<KeyFile>;
  } catch (error) {
    throw new Error(NOT_A_KEY, { cause: error });
  }
}
