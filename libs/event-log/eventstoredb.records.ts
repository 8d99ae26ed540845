import { POSITION_MAX, POSITION_WIDTH, LOG_START } from '#libs/kernel/event.js';
import type { Position, Revision, StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';
import { APPEND_BYTES_MAX, AppendTooLarge } from './event-log.port.js';

export interface NewRecord {
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly metadata: Metadata;
}

export interface ServerRecord {
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly revision: Revision;
  readonly commit: bigint;
  readonly data: unknown;
  readonly metadata: unknown;
}

type Metadata = Omit<SealedNewEvent, 'id' | 'stream' | 'type' | 'data'>;

/** Throws `AppendTooLarge`: the server would fail other appends with a much larger message. */
export function encode(stream: string, events: readonly SealedNewEvent[]): NewRecord[] {
  if (stream.startsWith('$')) throw new Error(`${stream} is a name of the server's own streams.`);
  const records = events.map(toNewRecord);
  const bytes = records.reduce((sum, record) => sum + bytesOf(stream, record), 0);
  if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream, bytes);
  return records;
}

function toNewRecord({ id, type, data, ...envelope }: SealedNewEvent): NewRecord {
  const { version, at, actor, cause, decided_by, based_on, authorization } = envelope;
  return { id, type, data, metadata: { version, at, actor, cause, decided_by, based_on, authorization } };
}

function bytesOf(stream: string, { id, type, data, metadata }: NewRecord): number {
  return Buffer.byteLength(JSON.stringify(data) + JSON.stringify(metadata) + [id, stream, type].join());
}

export function decode({ id, stream, type, revision, commit, data, metadata }: ServerRecord): StoredEvent {
  return { id, type, stream, revision, position: positionOf(commit), ...(metadata as Metadata), data: data as Json };
}

/** False for the server's own records (`$metadata`, links `$>`, statistics) and those of other applications. */
export function isOwnRecord({ type, stream, metadata }: ServerRecord): boolean {
  return !type.startsWith('$') && !stream.startsWith('$') && typeof (metadata as Metadata | null)?.version === 'number';
}

export const positionOf = (commit: bigint): Position => String(commit).padStart(POSITION_WIDTH, '0');

/** Null before the first event. Throws for a number whose upper bits the client would cut off. */
export function commitOf(position: Position): bigint | null {
  if (position > POSITION_MAX) throw new RangeError(`${position} is larger than any position of a log.`);
  return position === LOG_START ? null : BigInt(position);
}
