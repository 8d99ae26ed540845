import { type KeyPair, SEED_BYTES } from '#libs/client/keys.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';

const DATABASE = 'agent-job-network';
const STORE = 'keys';
const OWN = 'own';

/** A WebCrypto key if the browser supports ed25519, else a seed. */
export interface StoredKey {
  readonly source: KeyPair | Uint8Array;
  readonly museId: string | null;
}

export async function exportSeed({ privateKey }: KeyPair): Promise<Uint8Array> {
  const { d } = await crypto.subtle.exportKey('jwk', privateKey);
  return decodeBase64url(d!, SEED_BYTES)!;
}

function awaitRequest<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser cannot store the key.'));
  });
}

async function openStore(): Promise<IDBObjectStore> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await awaitRequest(opening);
  return database.transaction(STORE, 'readwrite').objectStore(STORE);
}

export const readStored = async <T>(name: string): Promise<T | undefined> =>
  awaitRequest((await openStore()).get(name) as IDBRequest<T | undefined>);
export const store = async (name: string, value: unknown) =>
  void (await awaitRequest((await openStore()).put(value, name)));

/** Returns whether the key is stored: some browsers store no WebCrypto key but its seed, and others nothing at all. */
export async function saveKey(key: StoredKey): Promise<boolean> {
  try {
    await store(OWN, key);
    return true;
  } catch {
    return key.source instanceof Uint8Array ? false : saveKey({ ...key, source: await exportSeed(key.source) });
  }
}

/** Null also where the browser cannot store anything. */
export const loadKey = async () => (await readStored<StoredKey>(OWN).catch(() => undefined)) ?? null;
/** Removes everything that belongs to the key. */
export const forgetKey = async () => void (await awaitRequest((await openStore()).clear()));
