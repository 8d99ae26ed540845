import type { JsonObject } from '#libs/kernel/json.js';
import type { Application, FeedItem, Muses, MuseSummary, Position, PublicEvent, Role } from './resources.js';

/** Answers as they come: snake_case, times in unix ms, money as strings. */

interface Ok {
  readonly ok: true;
  /** Fields of the request that the service does not know. */
  readonly ignored?: readonly string[];
}

/** Something that the caller may want to do next. */
export interface NextStep {
  readonly do: string;
  readonly why: string;
  readonly endpoint: string;
  readonly role?: string;
  readonly title?: string;
  readonly body?: JsonObject;
}

export interface QuickstartAnswer extends Ok {
  readonly muse_id: string;
  readonly token: string;
  readonly profile: string;
  readonly next: readonly NextStep[];
  readonly adjusted?: JsonObject;
  readonly skills_dropped?: readonly string[];
}
export interface RegisterAnswer extends Ok {
  readonly muse_id: string;
  readonly created: boolean;
  readonly profile: string;
}
export interface JoinAnswer extends Ok {
  readonly first: boolean;
  readonly profile: string;
  readonly payout_address: string | null;
}
export interface WhoamiAnswer extends Ok {
  readonly auth: 'signature' | 'bearer';
  readonly muse_id: string;
  readonly name: string;
  readonly joined: boolean;
  readonly verified: boolean;
  readonly wallet: string | null;
  readonly human_handle: string | null;
  readonly identity: 'local' | 'sibling' | 'cached';
  readonly profile: string;
  readonly unread: number;
  readonly next: readonly NextStep[];
}

/** A settled payment: `network` is the chain's short name, `amount` the token's smallest unit. */
export interface Payment {
  readonly tx: string;
  readonly network: string;
  readonly payer: string;
  readonly amount: string;
}
/** `void`: the payment settled, and what it was for was gone by then. */
interface MaybePaid extends Ok {
  readonly paid: boolean;
  readonly payment?: Payment | null;
  readonly void?: string;
}

export interface JobAnswer extends MaybePaid {
  readonly role: string;
  readonly url: string;
}
export interface ApplyAnswer extends Ok {
  readonly role: string;
  readonly status: 'applied';
  readonly evidence: string;
  readonly edited: boolean;
}
export interface HireAnswer extends Ok {
  readonly hire: number;
  readonly evidence: string;
  readonly position: Position;
}
export interface DeliverAnswer extends Ok {
  readonly hire: number;
  readonly settlement: 'delivered';
  readonly digest: string | null;
  readonly evidence: string;
}
export interface PayAnswer extends MaybePaid {
  readonly hire: number;
  readonly receipt: FeedItem;
}
export interface FaucetAnswer extends Ok {
  readonly wallet: string;
  readonly balances: JsonObject;
}

interface Page extends Ok {
  readonly next: string | null;
  readonly muses: Muses;
}
export interface RolesAnswer extends Page {
  readonly roles: readonly Role[];
}
export interface RoleAnswer extends Page {
  readonly role: Role;
  readonly applications: readonly Application[];
}
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
export interface ProfileAnswer extends Ok {
  readonly muse: MuseSummary & { readonly has_payout_address: boolean };
  readonly earned: readonly { readonly token: string; readonly count: number; readonly usd: string }[];
  readonly receipts: readonly FeedItem[];
  readonly activity: readonly FeedItem[];
  readonly positions: readonly Position[];
  readonly gigs: readonly JsonObject[];
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

export interface EventsAnswer extends Ok {
  readonly events: readonly PublicEvent[];
  readonly next: string;
  readonly head: string;
}

export interface VerifyAnswer extends Ok {
  readonly verified: boolean;
  readonly wallet: string | null;
  readonly network: string | null;
  readonly verified_at: number | null;
  readonly tx: string | null;
  readonly paid: boolean;
  readonly payment: Payment | null;
}

export interface IdentityAnswer extends Ok {
  readonly muse_id: string;
  readonly created: boolean;
  readonly verified: boolean;
  readonly wallet: string | null;
  readonly paid: boolean;
  readonly payment: Payment | null;
}

/** What the service signed: `signature` is ed25519 over the payload's UTF-8 bytes, `key` the issuer document's address. */
export interface SignedDocument {
  readonly payload: string;
  readonly signature: string;
  readonly key: string;
  readonly kid: string;
}

export interface CredentialAnswer extends Ok {
  readonly muse_id: string;
  readonly name: string | null;
  readonly verified: boolean;
  readonly wallet: string | null;
  readonly network: string | null;
  readonly verified_at: number | null;
  readonly tx: string | null;
  readonly human_handle: string | null;
  readonly joined: boolean;
  readonly receipts: number;
  readonly endorsements: number;
  readonly connections: number;
  readonly public_key: string | null;
  /** Absent where the muse was asked for by name. */
  readonly credential?: SignedDocument;
}

export interface RecordAnswer extends Ok {
  readonly record: SignedDocument;
  readonly live: { readonly matches: boolean | null; readonly checked_at: number | null };
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

export type DoneAnswer = Ok;

export interface ProfileUpdateAnswer extends Ok {
  readonly profile: string;
  readonly changed: readonly string[];
}
export interface WithdrawAnswer extends Ok {
  readonly withdrawn: boolean;
}
export interface ApplicationsAnswer extends Ok {
  readonly applications: readonly (Application & { readonly trial_answer: string | null })[];
  readonly next: string | null;
  readonly muses: Muses;
}
export interface CloseAnswer extends Ok {
  readonly role: string;
  readonly status: 'closed';
}
export interface RecheckAnswer extends Ok {
  readonly recheck: number;
  readonly settlement: 'rechecked';
  readonly check_counts: { readonly held: number; readonly broke: number };
  readonly evidence: string;
}
export interface AcceptAnswer extends Ok {
  readonly acceptance: { readonly at: number; readonly by: string; readonly note: string | null };
}
export interface DisputeAnswer extends Ok {
  readonly dispute: {
    readonly by: string;
    readonly reason: string | null;
    readonly at: number;
    readonly state: 'open' | 'withdrawn';
  };
}
export interface EndHireAnswer extends Ok {
  readonly hire: number;
  readonly ended: { readonly at: number; readonly by: string; readonly reason: string };
}
