/** Limit of one append on a real server: data, metadata and twice the type name of all events. */
export const APPEND_BYTES_MAX = 1_048_576;
/** Overhead of a record, so that positions have gaps as on a real server. */
const RECORD_BYTES = 120;

/** Largest revision, which marks a deleted stream. */
const DELETED = 2 ** 63;

export interface StreamMetadata {
  readonly $tb?: number;
  readonly $maxCount?: number;
}

export interface NewRecord {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface Record extends NewRecord {
  readonly stream: string;
  readonly revision: number;
  readonly commit: bigint;
  readonly createdMs: number;
}

export type Expected = number | 'none' | 'any' | 'exists';

export type AppendOutcome =
  | { readonly kind: 'written'; readonly revision: number; readonly commit: bigint }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wrong-version'; readonly current: number }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'too-large' };

export class Memory {
  readonly records: Record[] = [];
  private readonly streams = new Map<string, Record[]>();
  private readonly tombstones = new Set<string>();
  private readonly followers = new Set<(records: readonly Record[]) => void>();
  private end = 0n;

  get next(): bigint {
    return this.end;
  }

  stream(name: string): readonly Record[] | undefined {
    return this.streams.get(name);
  }

  /** Events that a read shows: all but those that the metadata cuts off. Undefined for a deleted stream. */
  visible(name: string): readonly Record[] | undefined {
    const records = this.streams.get(name);
    const { $tb = 0, $maxCount = Infinity } = this.metadata(name);
    if (!records || $tb >= DELETED) return undefined;
    return records.slice(Math.max($tb, records.length - $maxCount, 0));
  }

  setMetadata(stream: string, metadata: StreamMetadata | string): void {
    const data = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
    const record = { id: crypto.randomUUID(), type: '$metadata', contentType: 'application/json' };
    this.append(`$$${stream}`, 'any', [{ ...record, data: Buffer.from(data), metadata: Buffer.from('') }]);
  }

  /** Deletes a stream so that it can begin again, at the revision after its last one. */
  delete(stream: string): void {
    this.setMetadata(stream, '{"$tb":9223372036854775807}');
  }

  isTombstone(stream: string): boolean {
    return this.tombstones.has(stream);
  }

  follow(follower: (records: readonly Record[]) => void): () => void {
    this.followers.add(follower);
    return () => void this.followers.delete(follower);
  }

  /** Appends system events, as the statistics of a real server do. */
  writeOwn(count = 1): void {
    const own = { type: '$statsCollected', contentType: 'application/json', metadata: Buffer.from('') };
    const records = Array.from({ length: count }, () => ({ ...own, id: crypto.randomUUID(), data: Buffer.from('{}') }));
    this.append('$stats-127.0.0.1:2113', 'any', records);
  }

  /** Returns a function that puts the data of now back, as an older copy of the server's files would. */
  copy(): () => void {
    const [count, end] = [this.records.length, this.end];
    return () => this.cutTo(count, end);
  }

  /** Acts like an empty folder of the server. */
  clear(): void {
    this.cutTo(0, 0n);
  }

  private cutTo(count: number, end: bigint): void {
    this.records.length = count;
    this.end = end;
    this.streams.clear();
    for (const record of this.records)
      this.streams.set(record.stream, [...(this.streams.get(record.stream) ?? []), record]);
  }

  tombstone(stream: string): void {
    this.tombstones.add(stream);
  }

  append(stream: string, expected: Expected, events: readonly NewRecord[]): AppendOutcome {
    if (this.tombstones.has(stream)) return { kind: 'deleted' };
    if (events.length === 0) return { kind: 'nothing' };
    if (events.reduce((sum, event) => sum + bytesOf(event), 0) > APPEND_BYTES_MAX) return { kind: 'too-large' };
    const there = this.streams.get(stream) ?? [];
    const isDeleted = (this.metadata(stream).$tb ?? 0) >= DELETED;
    const verdict = isDeleted && expected === 'none' ? 'new' : decideAppend(there, expected, events);
    if (isDeleted && verdict === 'new') this.setMetadata(stream, { $tb: there.length });
    if (verdict === 'wrong-version') return { kind: 'wrong-version', current: there.length - 1 };
    const last = verdict === 'new' ? this.write(stream, there, events) : verdict;
    return { kind: 'written', revision: last.revision, commit: last.commit };
  }

  private metadata(stream: string): StreamMetadata {
    const newest = this.streams.get(`$$${stream}`)?.at(-1);
    return newest ? (JSON.parse(Buffer.from(newest.data).toString()) as StreamMetadata) : {};
  }

  private write(stream: string, there: Record[], events: readonly NewRecord[]): Record {
    const records = events.map((event, index) => {
      const commit = this.end;
      this.end += BigInt(RECORD_BYTES + bytesOf(event));
      return { ...event, stream, revision: there.length + index, commit, createdMs: Date.now() };
    });
    this.streams.set(stream, there);
    there.push(...records);
    this.records.push(...records);
    for (const follower of this.followers) follower(records);
    return records.at(-1)!;
  }
}

const bytesOf = ({ data, metadata, type }: NewRecord) => data.length + metadata.length + 2 * type.length;

/** Returns whether the events are new, already written (then the last record) or in conflict. */
function decideAppend(there: readonly Record[], expected: Expected, events: readonly NewRecord[]) {
  if (expected === 'any') return alreadyWritten(there, ids(events));
  if (expected === 'exists') return there.length > 0 ? 'new' : 'wrong-version';
  const current = there.length - 1;
  const at = expected === 'none' ? -1 : expected;
  // A real server does not check the ids of an append at the current revision.
  if (at === current) return 'new';
  const inPlace = events.every(({ id }, index) => there[at + 1 + index]?.id === id);
  return inPlace ? there[at + events.length]! : 'wrong-version';
}

function alreadyWritten(there: readonly Record[], wanted: readonly string[]) {
  const records = wanted.map(id => there.find(record => record.id === id));
  if (!records[0]) return 'new';
  return records.every(record => record !== undefined) ? records.at(-1)! : 'wrong-version';
}

const ids = (events: readonly NewRecord[]) => events.map(({ id }) => id);
