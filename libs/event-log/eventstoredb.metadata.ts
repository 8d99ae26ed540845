import type { Client } from './eventstoredb.client.js';
import type { ServerRecord } from './eventstoredb.records.js';

const METADATA_TYPE = '$metadata';
export const METADATA_REGEX = String.raw`^\$metadata$`;
const STREAM_PREFIX = '$$';
const WINDOW_RECORDS = 4_096;
const STREAMS_MAX = 100_000;

export const metadataStreamOf = (stream: string) => `${STREAM_PREFIX}${stream}`;

/** Streams whose metadata was ever set. Any other stream that does not exist was never deleted, without a question. */
export class StreamsWithMetadata {
  private readonly streams = new Set<string>();
  private search: Promise<void> | undefined;
  private isComplete = false;

  excludes(stream: string): boolean {
    return this.isComplete && this.streams.size < STREAMS_MAX && !this.streams.has(stream);
  }

  note({ type, stream }: ServerRecord): void {
    if (type === METADATA_TYPE && this.streams.size < STREAMS_MAX) this.streams.add(stream.slice(STREAM_PREFIX.length));
  }

  /** Lets the server search the log once, in the background. Later metadata comes over the live subscription. */
  startSearch(client: Client): void {
    this.search ??= this.findEarlier(client).catch(() => void (this.search = undefined));
  }

  private async findEarlier(client: Client): Promise<void> {
    const { items } = client.subscribe('start', METADATA_REGEX, WINDOW_RECORDS, client.timeoutMs);
    for await (const item of items) {
      if (item === 'caughtUp') return void (this.isComplete = true);
      if (typeof item === 'object' && 'event' in item) this.note(item.event);
    }
  }
}
