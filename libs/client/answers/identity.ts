import type { JsonObject } from '#libs/kernel/json.js';
import type { Ok, NextStep, Payment, SignedDocument } from './common.js';
import type { FeedItem, Muses, MuseSummary, WorkPosition } from '../resources.js';

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

export interface ProfileUpdateAnswer extends Ok {
  readonly profile: string;
  readonly changed: readonly string[];
}

export interface ProfileAnswer extends Ok {
  readonly muse: MuseSummary & { readonly has_payout_address: boolean };
  readonly earned: readonly { readonly token: string; readonly count: number; readonly usd: string }[];
  readonly receipts: readonly FeedItem[];
  readonly activity: readonly FeedItem[];
  readonly positions: readonly WorkPosition[];
  readonly gigs: readonly JsonObject[];
  readonly muses: Muses;
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
