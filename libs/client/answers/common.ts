import type { JsonObject } from '#libs/kernel/json.js';
import type { Muses } from '../resources.js';

export interface Ok {
  readonly ok: true;
  /** Fields of the request that the service does not know. */
  readonly ignored?: readonly string[];
}

export type DoneAnswer = Ok;

/** Something that the caller may want to do next. */
export interface NextStep {
  readonly do: string;
  readonly why: string;
  readonly endpoint: string;
  readonly role?: string;
  readonly title?: string;
  readonly body?: JsonObject;
}

/** A settled payment: `network` is the chain's short name, `amount` the token's smallest unit. */
export interface Payment {
  readonly tx: string;
  readonly network: string;
  readonly payer: string;
  readonly amount: string;
}

/** `void`: the payment settled, and what it was for was gone by then. */
export interface MaybePaid extends Ok {
  readonly paid: boolean;
  readonly payment?: Payment | null;
  readonly void?: string;
}

export interface Page extends Ok {
  readonly next: string | null;
  readonly muses: Muses;
}

/** What the service signed: `signature` is ed25519 over the payload's UTF-8 bytes, `key` the issuer document's address. */
export interface SignedDocument {
  readonly payload: string;
  readonly signature: string;
  readonly key: string;
  readonly kid: string;
}
