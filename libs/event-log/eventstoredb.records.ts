import { POSITION_MAX, POSITION_WIDTH, LOG_START } from '#libs/kernel/event.js';
import type { Position, Revision, StoredEvent, SealedNewEvent } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';
import { APPEND_BYTES_MAX, AppendTooLarge } from './event-log.port.js';

/** An event as the server is given it. `id` is a UUID; data and metadata are JSON. */
export interface NewRecord {
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly metadata: Metadata;
}

/** An event as the server hands it out, whoever wrote it. `commit` orders the whole log. */
export interface ServerRecord {
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly revision: Revision;
  readonly commit: bigint;
  readonly data: unknown;
  readonly metadata: unknown;
}

/** The envelope without what the server keeps itself and without the data. */
type Metadata = Omit<SealedNewEvent, 'id' | 'stream' | 'type' | 'data'>;

/** The events as the server is given them. Throws `AppendTooLarge`: a message that is far too large fails others too. */
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

/** Not the server's own (`$metadata`, links `$>`, statistics), and written by this adapter. */
export function isOwnRecord({ type, stream, metadata }: ServerRecord): boolean {
  return !type.startsWith('$') && !stream.startsWith('$') && typeof (metadata as Metadata | null)?.version === 'number';
}

/** A commit position (64 bits, at most 20 digits) as a position: sorted as a string as it is as a number. */
export const positionOf = (commit: bigint): Position => String(commit).padStart(POSITION_WIDTH, '0');

/** Null before the first event. Throws for a number that the client would send with its upper bits cut off. */
export function commitOf(position: Position): bigint | null {
  if (position > POSITION_MAX) throw new RangeError(`${position} is larger than any position of a log.`);
  return position === LOG_START ? null : BigInt(position);
}
