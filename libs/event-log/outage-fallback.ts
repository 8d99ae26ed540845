import { Unavailable } from '#libs/kernel/refusal.js';

/** Returns `otherwise` during an outage. For parts of an answer whose effect is written: a 503 would deny the effect. */
export async function withOutageFallback<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unavailable) return otherwise;
    throw error;
  }
}
