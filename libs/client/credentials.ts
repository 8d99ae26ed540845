import type { WireFields } from './wire.js';

export interface RequestStamp {
  /** Unix ms. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** Adds the authentication of a client to the fields and headers of a request. */
export interface Credentials {
  readonly mode: 'key' | 'token' | 'nobody';
  fields(endpoint: string, fields: WireFields, stamp: RequestStamp): WireFields | Promise<WireFields>;
  readonly headers: { readonly [name: string]: string };
}

export const ANONYMOUS: Credentials = { mode: 'nobody', headers: {}, fields: (_endpoint, fields) => fields };

export function bearerCredentials(token: string): Credentials {
  return { mode: 'token', headers: { authorization: `Bearer ${token}` }, fields: (_endpoint, fields) => fields };
}
