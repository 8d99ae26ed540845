import { defineEvent, defineStream } from './define.js';
import * as f from './event-fields.js';

/**
 * Number of the format of the whole log: its events and its rules. Each change of either raises it until release 1.0.0,
 * and no program reads a log of another format.
 */
export const LOG_FORMAT = 4;

export const IssuerKeyAdded = defineEvent('IssuerKeyAdded', 'The service began to sign records with another key.', {
  kid: f.clear(f.text, 'Thumbprint of the key (RFC 7638)'),
  public_key: f.clear(f.publicKey, 'An ed25519 public key, base64url'),
  format: f.clear(f.optional(f.integer), 'Number of the format of the log; in its first key only'),
});

/** The signatures of a retired key stay valid. */
export const IssuerKeyRetired = defineEvent('IssuerKeyRetired', 'The service no longer signs with this key.', {
  kid: f.clear(f.text, 'Thumbprint of the key (RFC 7638)'),
});

export const OriginSet = defineEvent('OriginSet', 'The service began to take requests at this address.', {
  origin: f.clear(f.text, 'Scheme, host and port'),
});

export const FeeWalletSet = defineEvent('FeeWalletSet', 'The service began to take fees on this rail in this wallet.', {
  rail: f.clear(f.rail),
  wallet: f.clear(f.wallet, 'Wallet that fees go to'),
});

export const ClockMoved = defineEvent(
  'ClockMoved',
  'The clock of a process was behind earlier events: the order of times starts again.',
  {
    from: f.clear(f.integer, 'Latest time of the events before, unix ms'),
    to: f.clear(f.integer, 'Time of the process, unix ms'),
  },
);

/** Times are unix ms; `until` is null for the current key. */
export interface IssuerKey {
  readonly kid: string;
  readonly public_key: string;
  readonly from: number;
  readonly until: number | null;
}

export interface FeeWallet {
  readonly rail: string;
  readonly wallet: string;
}

/** Unix ms. */
export interface ClockMove {
  readonly from: number;
  readonly to: number;
}

export interface Service {
  readonly keys: readonly IssuerKey[];
  readonly origins: readonly string[];
  readonly feeWallets: readonly FeeWallet[];
  readonly clockMoves: readonly ClockMove[];
}

export const Service = defineStream('service', {
  events: [IssuerKeyAdded, IssuerKeyRetired, OriginSet, FeeWalletSet, ClockMoved],
  initial: { keys: [], origins: [], feeWallets: [], clockMoves: [] },
  evolve(service, { type, data, at }): Service {
    switch (type) {
      case 'IssuerKeyAdded': {
        const { kid, public_key } = data;
        return { ...service, keys: [...service.keys, { kid, public_key, from: at, until: null }] };
      }
      case 'IssuerKeyRetired': {
        const isRetired = ({ kid, until }: IssuerKey) => kid === data.kid && until === null;
        return { ...service, keys: service.keys.map(key => (isRetired(key) ? { ...key, until: at } : key)) };
      }
      case 'OriginSet':
        return { ...service, origins: [...service.origins, data.origin] };
      case 'FeeWalletSet':
        return { ...service, feeWallets: [...service.feeWallets, data] };
      case 'ClockMoved':
        return { ...service, clockMoves: [...service.clockMoves, data] };
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
