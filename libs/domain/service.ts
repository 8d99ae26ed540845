import { defineEvent, defineStream } from './define.js';
import * as f from './event-fields.js';

/**
 * Number of the format of the whole log: its events and its rules. Each change of either raises it until release 1.0.0,
 * and no program reads a log of another format.
 */
export const LOG_FORMAT = 1;

export const IssuerKeyAdded = defineEvent('IssuerKeyAdded', 'The service began to sign records with another key.', {
  kid: f.clear(f.text),
  public_key: f.clear(f.publicKey),
  format: f.clear(f.optional(f.integer)),
});

/** The signatures of a retired key stay valid. */
export const IssuerKeyRetired = defineEvent('IssuerKeyRetired', 'The service no longer signs with this key.', {
  kid: f.clear(f.text),
});

/** Times are unix ms; `until` is null for the current key. */
export interface IssuerKey {
  readonly kid: string;
  readonly public_key: string;
  readonly from: number;
  readonly until: number | null;
}

export const IssuerKeys = defineStream('service', {
  events: [IssuerKeyAdded, IssuerKeyRetired],
  initial: [] as readonly IssuerKey[],
  evolve(keys, event) {
    const { kid } = event.data;
    switch (event.type) {
      case 'IssuerKeyAdded':
        return [...keys, { kid, public_key: event.data.public_key, from: event.at, until: null }];
      case 'IssuerKeyRetired':
        return keys.map(key => (key.kid === kid && key.until === null ? { ...key, until: event.at } : key));
    }
  },
});

export const findCurrentKey = (keys: readonly IssuerKey[]) => keys.findLast(({ until }) => until === null);

/** Returns the rest of a sentence about the log, unless its first key, from anyone, says that this version reads it. */
export function findFormatFault(firstKey: { readonly data: unknown } | undefined): string | undefined {
  const { format } = Object(firstKey?.data) as { readonly format?: unknown };
  if (format === LOG_FORMAT) return undefined;
  const stated = format === undefined ? 'names no format' : `has format ${JSON.stringify(format)}`;
  return `${stated}, and this version reads format ${LOG_FORMAT}.`;
}
