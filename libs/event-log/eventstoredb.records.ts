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
  const bytes = byteLength(stream, records);
  if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream, bytes);
  return records;
}

export const byteLength = (stream: string, records: readonly NewRecord[]): number =>
  records.reduce((sum, record) => sum + bytesOf(stream, record), 0);

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

const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const ENVELOPE: { readonly [member in keyof Metadata]: (value: unknown) => boolean } = {
  version: Number.isSafeInteger,
  at: Number.isSafeInteger,
  actor: isText,
  cause: isText,
  decided_by: isText,
  based_on: isObject,
  authorization: isObject,
};

/** False for records of the server (`$metadata`, links `$>`, statistics). */
const isApplicationRecord = ({ type, stream }: ServerRecord): boolean =>
  !type.startsWith('$') && !stream.startsWith('$');

/** Whether the metadata is a whole envelope; other applications on the server write records without one. */
export function isOwnRecord(record: ServerRecord): boolean {
  const metadata = record.metadata as { readonly [member: string]: unknown } | null | undefined;
  if (!isApplicationRecord(record) || !isObject(metadata)) return false;
  return Object.entries(ENVELOPE).every(([member, isValid]) => isValid(metadata![member]));
}

export const isForeignRecord = (record: ServerRecord): boolean => isApplicationRecord(record) && !isOwnRecord(record);

export const positionOf = (commit: bigint): Position => String(commit).padStart(POSITION_WIDTH, '0');

/** Null before the first event. Throws for a number whose upper bits the client would cut off. */
export function commitOf(position: Position): bigint | null {
  if (position > POSITION_MAX) throw new RangeError(`${position} is larger than any position of a log.`);
  return position === LOG_START ? null : BigInt(position);
}
