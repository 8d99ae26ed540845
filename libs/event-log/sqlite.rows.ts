import { type Position, POSITION_WIDTH, type SealedNewEvent, type StoredEvent } from '#libs/kernel/event.js';
import { APPEND_BYTES_MAX, AppendTooLarge } from './event-log.port.js';

/** Searchable fields are columns; the rest of the envelope is one JSON text. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_revision ON events (stream, revision);
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_id ON events (stream, id);`;

export const COLUMNS = 'position, stream, revision, id, type, body';
export type Row = [position: number, stream: string, revision: number, id: string, type: string, body: string];

export const REVISION = 2;

type Body = Omit<SealedNewEvent, 'id' | 'stream' | 'type'>;

export interface EncodedEvent {
  readonly event: SealedNewEvent;
  readonly body: string;
}

export function encode(stream: string, events: readonly SealedNewEvent[]): EncodedEvent[] {
  const encoded = events.map(event => ({ event, body: bodyOf(event) }));
  const bytes = encoded.reduce((sum, each) => sum + bytesOf(each), 0);
  if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream, bytes);
  return encoded;
}

export function decode([number, stream, revision, id, type, json]: Row): StoredEvent {
  const { version, at, actor, cause, decided_by, based_on, authorization, data } = JSON.parse(json) as Body;
  const position = positionOf(number);
  // One object literal gives all events the same hidden class.
  return { id, type, stream, revision, position, version, at, actor, cause, decided_by, based_on, authorization, data };
}

export function positionOf(number: number): Position {
  return String(number).padStart(POSITION_WIDTH, '0');
}

function bodyOf({ version, at, actor, cause, decided_by, based_on, authorization, data }: Body): string {
  return JSON.stringify({ version, at, actor, cause, decided_by, based_on, authorization, data } satisfies Body);
}

const bytesOf = ({ event, body }: EncodedEvent) =>
  Buffer.byteLength(body) + Buffer.byteLength([event.id, event.stream, event.type].join());
