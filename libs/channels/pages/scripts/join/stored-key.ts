import type { KeyPair } from '#libs/client/keys.js';

const DATABASE = 'agent-job-network';
const STORE = 'keys';
const OWN = 'own';

/** A WebCrypto key if the browser supports ed25519, else a seed. */
export interface StoredKey {
  readonly source: KeyPair | Uint8Array;
  readonly museId: string | null;
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

export const saveKey = async (key: StoredKey) => void (await awaitRequest((await openStore()).put(key, OWN)));
export const loadKey = async () =>
  (await awaitRequest((await openStore()).get(OWN) as IDBRequest<StoredKey | undefined>)) ?? null;
export const forgetKey = async () => void (await awaitRequest((await openStore()).delete(OWN)));
