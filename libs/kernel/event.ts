import type { Json } from './json.js';

/**
 * Where an event stands in the whole log: opaque to everyone but the adapter, of one width on every adapter
 * (20 characters), and ordered as a string.
 */
export type Position = string;
export const POSITION_WIDTH = 20;
/** Whether a text has the form of a position. */
export const isPosition = (text: string): boolean => text.length === POSITION_WIDTH && /^[0-9]+$/.test(text);
/** Largest position of any log: a signed number of 64 bits. */
export const POSITION_MAX: Position = '09223372036854775807';
/** Before the first event. */
export const LOG_START: Position = '0'.repeat(POSITION_WIDTH);
/** Which of the two stands further back in the log. */
export const maxPosition = (one: Position, other: Position): Position => (one > other ? one : other);

/** The number of a stream's event, counted from 0. */
export type Revision = number;

/** A value that the log holds encrypted: base64url of nonce (12 bytes), ciphertext and tag (16 bytes). */
export interface SealedValue {
  readonly sealed: string;
}

/** How many hex characters of a token's sha256 an event names. */
export const TOKEN_HINT_CHARACTERS = 16;

/** Fields of a signed or bearer request exactly as they were sent, without the signature's own. */
export type RequestFields = { readonly [name: string]: string };

/** How an action was allowed. What is `sealed`, all as one, is null once the key that it was sealed with is gone. */
export type Authorization =
  | {
      readonly mode: 'signature';
      readonly public_key: string;
      readonly endpoint: string;
      readonly timestamp: string;
      readonly nonce: string;
      /** sha256(salt bytes followed by the signed message's bytes), lower-case hex. */
      readonly commitment: string;
      readonly sealed: {
        readonly signature: string;
        readonly fields: RequestFields;
        readonly salt: string;
      } | null;
    }
  | {
      readonly mode: 'bearer';
      /** The first 16 hex characters of its sha256. */
      readonly token: string;
      readonly endpoint: string;
      /** Only fields that the endpoint knows. */
      readonly sealed: { readonly fields: RequestFields } | null;
    }
  | { readonly mode: 'service' | 'operator'; readonly reason: string };

/** The revision of every other stream that a decision read, by the stream's name. */
export type StreamRevisions = { readonly [stream: string]: Revision };

/** What a decision says has happened; the helper that appends gives it its id, stream and authorization. */
export interface Fact<T extends string = string, D = unknown> {
  readonly type: T;
  readonly version: number;
  readonly data: D;
}

/** An event on its way into the log. */
export interface NewEvent<T extends string = string, D = unknown> extends Fact<T, D> {
  /** UUID, derived from the request (RFC 9562 version 8); unique within its stream. */
  readonly id: string;
  readonly stream: string;
  /** Unix ms of the clock of the process that decided. */
  readonly at: number;
  /** A muse_id, or `house`, `operator`, `service`. */
  readonly actor: string;
  /** The id of the event or request that led to it. */
  readonly cause: string;
  /** The decision that made it and the version of its rules: `hire@1`, `complete-hire@1`. */
  readonly decided_by: string;
  readonly based_on: StreamRevisions;
  readonly authorization: Authorization;
}

/** An event of the log, opened: private, personal and held values in clear, or null where they were erased. */
export interface Event<T extends string = string, D = unknown> extends NewEvent<T, D> {
  readonly revision: Revision;
  readonly position: Position;
  /** The sealed fields that do not open; whoever reads one of them is thrown `UnreadableEvent`. Left out for none. */
  readonly unreadable?: readonly string[];
}

/** An event as an adapter stores it: what is declared as sealed is `{sealed}`; nothing else differs. */
export type SealedNewEvent = Omit<NewEvent, 'data' | 'authorization'> & {
  readonly data: Json;
  readonly authorization: Json;
};
export type StoredEvent = SealedNewEvent & { readonly revision: Revision; readonly position: Position };
