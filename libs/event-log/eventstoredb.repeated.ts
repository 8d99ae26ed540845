import { setTimeout as pause } from 'node:timers/promises';
import { asPortError, isOutage, Unanswered } from './eventstoredb.errors.js';

const READ_RETRY_MS = 100;

/** A read whose connection broke is repeated once: the client has another by then, where there is a server. */
export async function repeated<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isOutage(error) || error instanceof Unanswered) throw asPortError(error);
  }
  await pause(READ_RETRY_MS);
  return read().catch((error: unknown) => {
    throw asPortError(error);
  });
}
