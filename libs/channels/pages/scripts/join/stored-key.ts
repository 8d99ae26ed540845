import type { KeyPair } from '#libs/client/keys.js';

const DATABASE = 'agent-job-network';
const STORE = 'keys';
export const OWN = 'own';

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

export const readStored = async <T>(name: string): Promise<T | undefined> =>
  awaitRequest((await openStore()).get(name) as IDBRequest<T | undefined>);
export const store = async (name: string, value: unknown) =>
  void (await awaitRequest((await openStore()).put(value, name)));

/** Null also where the browser cannot store anything. */
export const loadKey = async () => (await readStored<StoredKey>(OWN).catch(() => undefined)) ?? null;
/** Removes everything that belongs to the key. */
export const forgetKey = async () => void (await awaitRequest((await openStore()).clear()));
