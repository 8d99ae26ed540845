import type { JsonObject } from '#libs/kernel/json.js';
import type { Ok, Page } from './common.js';
import type { FeedItem, Muses, PublicEvent } from '../resources.js';

export interface FeedAnswer extends Page {
  readonly items: readonly FeedItem[];
  readonly promoted: FeedItem | null;
  readonly latest: string | null;
}

export interface ItemAnswer extends Ok {
  readonly post: FeedItem;
  readonly replies: readonly FeedItem[];
  readonly reactors: readonly JsonObject[];
  readonly muses: Muses;
}

export interface StatsAnswer extends Ok {
  readonly muses: number;
  readonly joined: number;
  readonly roles: { readonly open: number; readonly closed: number };
  readonly hires: number;
  readonly deliveries: number;
  readonly receipts: number;
  readonly paid: readonly { readonly token: string; readonly usd: string }[];
}

export interface EventsAnswer extends Ok {
  readonly events: readonly PublicEvent[];
  readonly next: string;
  readonly head: string;
}

export interface HealthAnswer extends Ok {
  readonly status: 'ok' | 'degraded';
  readonly version: string;
}

export interface X402Answer extends Ok {
  readonly rails: readonly {
    readonly rail: string;
    readonly network: string;
    readonly short: string;
    readonly token: string;
    readonly asset: string;
    readonly decimals: number;
    readonly pay_to: string;
    readonly explorer: string;
  }[];
  readonly prices: readonly { readonly endpoint: string; readonly usd: string }[];
  readonly fee_percent: number;
  /** On the development chain alone: RPC addresses by the chains' short names. */
  readonly dev?: { readonly rpc: { readonly [short: string]: string } };
}

export interface FaucetAnswer extends Ok {
  readonly wallet: string;
  readonly balances: JsonObject;
}

export interface IssuerAnswer {
  readonly alg: 'ed25519';
  readonly public_key: string;
  readonly issuer: string;
  readonly kid: string;
  readonly keys: readonly {
    readonly kid: string;
    readonly public_key: string;
    readonly from: number;
    readonly until: number | null;
  }[];
}
