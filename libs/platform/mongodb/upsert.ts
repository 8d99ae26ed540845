import { isDuplicateId } from './errors.js';

/** How often a write is tried where several processes insert the same document at once. */
const TRIES_MAX = 10;

/**
 * Of two upserts of a new document the server lets both begin, and the later one fails or is answered no document. That
 * one is tried again.
 */
export async function retryOnDuplicateId<T>(work: () => Promise<T | null>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      const done = await work();
      if (done !== null) return done;
      if (tries >= TRIES_MAX) throw new Error('A document that was put is not answered.');
    } catch (error) {
      if (tries >= TRIES_MAX || !isDuplicateId(error)) throw error;
    }
  }
}

/** Inserts a document. Answers false where its id exists already. */
export async function tryInsert(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isDuplicateId(error)) return false;
    throw error;
  }
}
