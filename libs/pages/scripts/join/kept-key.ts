import { type KeyPair, type MuseKey, SigningKey, WebCryptoKey } from '#libs/client/keys.js';
import { encodeBase64url } from '#libs/signing/base64url.js';

const DATABASE = 'agent-job-network';
const STORE = 'keys';
const OWN = 'own';

/** The key of this browser: of WebCrypto where the browser has ed25519, else its seed. */
export interface KeptKey {
  readonly source: KeyPair | Uint8Array;
  readonly museId: string | null;
}

/** A new key. WebCrypto is there on https and on one's own machine. */
export async function newKey(): Promise<KeptKey> {
  const subtle = (globalThis.crypto as { readonly subtle?: SubtleCrypto }).subtle;
  const pair = await subtle?.generateKey('Ed25519', true, ['sign', 'verify']).catch(() => undefined);
  return { source: pair ?? SigningKey.newSeed(), museId: null };
}

export const signerFor = ({ source, museId }: KeptKey, tag: string): Promise<MuseKey> =>
  source instanceof Uint8Array
    ? Promise.resolve(new SigningKey(source, tag, museId))
    : WebCryptoKey.of(source, tag, museId);

/** The seed of a key, base64url: what any client of the network takes. */
export async function seedOf({ source }: KeptKey): Promise<string> {
  if (source instanceof Uint8Array) return encodeBase64url(source);
  const { d } = await crypto.subtle.exportKey('jwk', source.privateKey);
  return d!;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing.'));
  });
}

async function store(): Promise<IDBObjectStore> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await done(opening);
  return database.transaction(STORE, 'readwrite').objectStore(STORE);
}

export const keep = async (key: KeptKey) => void (await done((await store()).put(key, OWN)));
export const kept = async () => (await done((await store()).get(OWN) as IDBRequest<KeptKey | undefined>)) ?? null;
export const forgetKey = async () => void (await done((await store()).delete(OWN)));
