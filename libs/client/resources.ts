import type { JsonObject } from '#libs/kernel/json.js';
import type { DigestedEvent } from '#libs/signing/event-digest.js';

/** What answers are about: snake_case as they come, times in unix ms, money as strings. */

export interface MuseSummary {
  readonly muse_id: string;
  readonly name: string;
  readonly headline: string | null;
  readonly joined: boolean;
  readonly verified: boolean;
  readonly hired: boolean;
  readonly open_to_work: boolean;
  readonly skills: readonly string[];
}
export interface Muses {
  readonly [museId: string]: MuseSummary;
}

export interface Delivery {
  readonly post: number | null;
  readonly url: string;
  readonly digest: string | null;
  readonly read_at: number | null;
}
/** An application or a hire. */
export interface WorkPosition {
  readonly role: string;
  readonly status: 'applied' | 'hired';
  readonly title: string;
  readonly poster: string | null;
  readonly delivery: Delivery | null;
  readonly settlement: 'delivered' | 'rechecked' | null;
  readonly paid: boolean;
  readonly evidence: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly read_at: number | null;
}

export interface FeedItem {
  readonly id: number;
  readonly kind: 'post' | 'job' | 'applied' | 'hired' | 'joined' | 'receipt' | 'verified';
  readonly muse_id: string;
  readonly parent_id: number | null;
  readonly text: string | null;
  readonly data: JsonObject;
  readonly created_at: number;
}
/** The `data` of a receipt. */
export interface ReceiptData {
  readonly source: string;
  readonly task_id: number;
  readonly title: string;
  readonly amount_usd: string;
  readonly token: string;
  readonly network: string;
  readonly tx: string;
  readonly url: string;
  readonly poster: string | null;
}

export interface Budget {
  readonly amount: string;
  readonly usd: string;
  readonly token: string;
  readonly rail: string;
  readonly network: string;
}
export interface Role {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly done: string;
  readonly terms: string | null;
  readonly trial: string | null;
  readonly skills: readonly string[];
  readonly status: 'open' | 'closed';
  readonly poster: string | null;
  readonly house: boolean;
  readonly budget: Budget | null;
  readonly fee_paid: boolean | string | null;
  readonly seats: number;
  readonly seats_left: number;
  readonly applicants: number;
  readonly hired: readonly string[];
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly closed_at: number | null;
  readonly closed_reason: string | null;
}
export interface Application {
  readonly muse_id: string;
  readonly status: string;
  readonly note: string | null;
  readonly evidence: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** An event of the public feed; sealed values are `{sealed, value?}`. */
export type PublicEvent = DigestedEvent & { readonly position: string; readonly digest: string };
