import type { KeyPair } from '#libs/client/keys.js';

const DATABASE = 'agent-job-network';
const STORE = 'keys';
const OWN = 'own';

/** The key of this browser: of WebCrypto where the browser has ed25519, else its seed. */
export interface KeptKey {
  readonly source: KeyPair | Uint8Array;
  readonly museId: string | null;
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
