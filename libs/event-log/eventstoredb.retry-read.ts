import { setTimeout as pause } from 'node:timers/promises';
import { toPortError, isOutage, CallTimeout } from './eventstoredb.errors.js';

const READ_RETRY_MS = 100;

/** Repeats a read once after a broken connection: the client reconnects. */
export async function retryRead<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isOutage(error) || error instanceof CallTimeout) throw toPortError(error);
  }
  await pause(READ_RETRY_MS);
  return read().catch((error: unknown) => {
    throw toPortError(error);
  });
}
