import { isDuplicateId } from './errors.js';

const TRIES_MAX = 10;

/** Retries an upsert that raced with another one: the later one fails or returns null. */
export async function retryOnDuplicateId<T>(work: () => Promise<T | null>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await work();
      if (result !== null) return result;
      if (tries >= TRIES_MAX) throw new Error('The server did not return an upserted document.');
    } catch (error) {
      if (tries >= TRIES_MAX || !isDuplicateId(error)) throw error;
    }
  }
}

export async function tryInsert(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isDuplicateId(error)) return false;
    throw error;
  }
}
