import { setTimeout as pause } from 'node:timers/promises';
import { toPortError, isOutage, CallTimeout } from './eventstoredb.errors.js';

const READ_RETRY_MS = 100;

/** A read whose connection broke is repeated once: the client has another by then, where there is a server. */
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
