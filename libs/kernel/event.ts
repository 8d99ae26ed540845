import type { Json } from './json.js';

/** Position in the whole log: opaque, 20 characters on every adapter, ordered as a string. */
export type Position = string;
export const POSITION_WIDTH = 20;
export const isPosition = (text: string): boolean => text.length === POSITION_WIDTH && /^[0-9]+$/.test(text);
/** Maximum of a signed 64-bit number. */
export const POSITION_MAX: Position = '09223372036854775807';
export const LOG_START: Position = '0'.repeat(POSITION_WIDTH);
export const maxPosition = (one: Position, other: Position): Position => (one > other ? one : other);

export type Revision = number;

/** Base64url of nonce (12 bytes), ciphertext and tag (16 bytes). */
export interface SealedValue {
  readonly sealed: string;
}

export const TOKEN_HINT_CHARACTERS = 16;

/** Fields of a request as sent, without those of the signature. */
export type RequestFields = { readonly [name: string]: string };

export type SignedRequest = {
  readonly signature: string;
  readonly fields: RequestFields;
  readonly salt: string;
};

type SignatureMembers = {
  readonly mode: 'signature';
  readonly public_key: string;
  readonly endpoint: string;
  readonly timestamp: string;
  readonly nonce: string;
  /** sha256(salt bytes followed by the bytes of the signed message), lower-case hex. */
  readonly commitment: string;
};

export type SignatureAuthorization = SignatureMembers &
  ({ readonly sealed: SignedRequest | null } | { readonly request: SignedRequest });

/**
 * `sealed` is encrypted as one value, and null once its key is destroyed. `request` stays in the clear: it ends the
 * identity whose key would seal it.
 */
export type Authorization =
  | SignatureAuthorization
  | {
      readonly mode: 'bearer';
      readonly token: string;
      readonly endpoint: string;
      readonly sealed: { readonly fields: RequestFields } | null;
    }
  | { readonly mode: 'service' | 'operator'; readonly reason: string };

/** Null if it is private or erased. */
export const signedRequestOf = (authorization: SignatureAuthorization): SignedRequest | null =>
  'request' in authorization ? authorization.request : authorization.sealed;

/** Undefined without a request, and if its fields are private or erased. */
export function requestFieldsOf(authorization: Authorization): RequestFields | undefined {
  if (authorization.mode === 'signature') return signedRequestOf(authorization)?.fields;
  return authorization.mode === 'bearer' ? authorization.sealed?.fields : undefined;
}

export function publishRequest(authorization: Authorization): Authorization {
  if (authorization.mode !== 'signature' || !('sealed' in authorization) || !authorization.sealed) return authorization;
  const { sealed: request, ...members } = authorization;
  return { ...members, request };
}

export type StreamRevisions = { readonly [stream: string]: Revision };

export interface Fact<T extends string = string, D = unknown> {
  readonly type: T;
  readonly version: number;
  readonly data: D;
}

export interface NewEvent<T extends string = string, D = unknown> extends Fact<T, D> {
  /** UUID version 8 (RFC 9562), derived from the request; unique within its stream. */
  readonly id: string;
  readonly stream: string;
  /** Unix ms of the deciding process. */
  readonly at: number;
  readonly actor: string;
  readonly cause: string;
  readonly decided_by: string;
  readonly based_on: StreamRevisions;
  readonly authorization: Authorization;
}

/** An opened event: sealed values are in clear, or null if they were erased. */
export interface Event<T extends string = string, D = unknown> extends NewEvent<T, D> {
  readonly revision: Revision;
  readonly position: Position;
  /** Sealed fields that cannot be opened. Reading one throws `UnreadableEvent`. */
  readonly unreadable?: readonly string[];
}

/** An event as stored: sealed values are `{sealed}`, all else is equal. */
export type SealedNewEvent = Omit<NewEvent, 'data' | 'authorization'> & {
  readonly data: Json;
  readonly authorization: Json;
};
export type StoredEvent = SealedNewEvent & { readonly revision: Revision; readonly position: Position };

/** Begins the cause of the events of a request; any other cause is an event or a name of the service. */
export const REQUEST_CAUSE = 'request/';

/** Form of the cause of a request, as decisions declare it. */
export const REQUEST_FORM = `${REQUEST_CAUSE}<request>`;
export const IMPORT_FORM = 'import/<root>';

/** Begins the cause of all events that an import appends after the imported log; the root of that log follows. */
const IMPORT_CAUSE = 'import/';
export const formatImportCause = (root: string) => IMPORT_CAUSE + root;
export const isImportCause = (cause: string) => cause.startsWith(IMPORT_CAUSE);
/** Whether the operator wrote the event when it imported the log before it. */
export const isOfImport = ({ cause, authorization }: Pick<Event, 'cause' | 'authorization'>) =>
  isImportCause(cause) && authorization.mode === 'operator';
