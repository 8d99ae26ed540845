import { Muse } from '#libs/domain/muse.js';
import type { Sources } from '#libs/event-log/execute-command.js';
import type { StreamSource } from '#libs/kernel/decide.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import type { Hire } from './domain/hire.js';

interface PartySources extends Sources {
  readonly poster: StreamSource<Muse> | undefined;
  readonly worker: StreamSource<Muse> | undefined;
}

/** Streams of both parties, of which the poster may be the house. */
export const partySources = (hire: Hire): PartySources =>
  hire.status === 'unknown'
    ? { poster: undefined, worker: undefined }
    : { poster: Muse.source(resolvePosterId(hire.poster)), worker: Muse.source(hire.worker) };
