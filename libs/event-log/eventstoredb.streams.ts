import type { Revision, StoredEvent } from '#libs/kernel/event.js';
import type { Client } from './eventstoredb.client.js';
import { isStreamDeleted } from './eventstoredb.errors.js';
import { decode, isOwnRecord } from './eventstoredb.records.js';
import type { LogTail } from './eventstoredb.tail.js';
import { BrokenStream } from './unreadable-event.js';

/** Reads streams and passes over events of other applications. Throws `BrokenStream` if events are missing. */
export class StreamReader {
  constructor(
    private readonly client: Client,
    private readonly tail: LogTail,
  ) {}

  async read(stream: string, from: Revision, countMax?: number): Promise<StoredEvent[]> {
    const records = await this.client.readStream(stream, from, countMax).catch((error: unknown) => {
      throw isStreamDeleted(error) ? createDeletionError(stream, from) : error;
    });
    // A stream that exists but has no events was cut.
    const isGone = records === null ? await this.wasDeleted(stream) : from === 0 && records.length === 0;
    if (isGone) throw createDeletionError(stream, from);
    const events = (records ?? []).filter(isOwnRecord).map(decode);
    const gap = events.findIndex(({ revision }, index) => revision !== from + index);
    if (gap >= 0) throw createGapError(stream, from + gap, events[gap]!.revision);
    return events;
  }

  private async wasDeleted(stream: string): Promise<boolean> {
    const { metadata } = this.tail;
    if (metadata?.excludes(stream)) return false;
    metadata?.startSearch(this.client);
    return this.client.wasDeleted(stream);
  }
}

/** The server lets a deleted stream begin again, at the revision after its last one. */
export function requireBeginning(stream: string, first: Revision): void {
  if (first > 0) throw createGapError(stream, 0, first);
}

export const createDeletionError = (stream: string, from: Revision) =>
  new BrokenStream(stream, `was cut or deleted: its revision ${from} and later ones are missing`);

function createGapError(stream: string, missing: Revision, next: Revision): BrokenStream {
  const begins = missing === 0 ? 'begins' : 'continues';
  return new BrokenStream(
    stream,
    `${begins} at revision ${next}: it was cut or deleted before, revision ${missing} is missing`,
  );
}
