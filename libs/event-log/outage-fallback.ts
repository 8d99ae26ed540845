import { Unavailable } from '#libs/kernel/refusal.js';

/** For optional work, such as parts of the response to a completed write: a 503 would deny the write. */
export async function withOutageFallback<T>(work: () => Promise<T>, fallback: T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unavailable) return fallback;
    throw error;
  }
}
