import type { WireFields } from './wire.js';

/** When and under which nonce a request is signed. */
export interface RequestStamp {
  /** Unix ms. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** How a client proves who it is: what it adds to a request's fields and headers. */
export interface Credentials {
  readonly mode: 'key' | 'token' | 'nobody';
  fields(endpoint: string, fields: WireFields, stamp: RequestStamp): WireFields | Promise<WireFields>;
  readonly headers: { readonly [name: string]: string };
}

/** For what needs no key. */
export const ANONYMOUS: Credentials = { mode: 'nobody', headers: {}, fields: (_endpoint, fields) => fields };

export function bearerCredentials(token: string): Credentials {
  return { mode: 'token', headers: { authorization: `Bearer ${token}` }, fields: (_endpoint, fields) => fields };
}
