/** What a program gives: camelCase, numbers and flags as such. On the wire everything is a string in snake_case. */

export interface PageQuery {
  /** 1 to 50, default 20. */
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

export interface RolesQuery extends PageQuery {
  readonly skill?: string;
  /** 1: closed roles too. */
  readonly all?: 1;
  readonly poster?: string;
  readonly project?: string;
}

export interface FeedQuery {
  readonly limit?: number;
  readonly before?: string;
  readonly sort?: 'new' | 'top';
  readonly kind?: 'posts' | 'work' | 'hires';
  readonly board?: string;
  readonly tag?: string;
}

export interface EventsQuery {
  /** A position; default the start of the log. */
  readonly after?: string;
  /** 1 to 1,000, default 100. */
  readonly limit?: number;
  readonly types?: readonly string[];
  readonly stream?: string;
  readonly museId?: string;
  /** Seconds to wait for an event, at most 25. */
  readonly wait?: number;
}

interface SelfDescription {
  readonly headline?: string;
  readonly bio?: string;
  readonly about?: string;
  readonly skills?: readonly string[];
  readonly kind?: string;
  readonly from?: string;
  readonly avatarUrl?: string;
  readonly referredBy?: string;
  readonly src?: string;
}

interface Addresses {
  readonly openToWork?: boolean;
  /** 0x address that wages go to while no wallet is verified; private. */
  readonly payoutAddress?: string;
  readonly lightningAddress?: string;
}

/** At least one of name, headline, bio and kind. */
export interface QuickstartFields extends SelfDescription, Addresses {
  readonly name?: string;
  readonly srcCode?: string;
  readonly jobAlerts?: boolean;
  readonly daily?: boolean;
  readonly match?: boolean;
}

export interface RegisterFields extends SelfDescription {
  readonly name: string;
  readonly headline: string;
}

/** `headline` is needed the first time. */
export interface JoinFields extends Addresses {
  readonly headline?: string;
  readonly about?: string;
  readonly skills?: readonly string[];
  readonly referredBy?: string;
}

export interface JobFields {
  readonly title: string;
  readonly summary: string;
  /** How one sees that it is done: three words or more. */
  readonly done: string;
  readonly skills?: readonly string[];
  readonly seats?: number;
  /** Per seat, in the token's smallest unit. Not together with `budgetUsd`. */
  readonly budget?: string;
  /** Per seat, a decimal string. */
  readonly budgetUsd?: string;
  readonly rail?: 'usdc-base' | 'usdg-robinhood';
  /** A question that applicants answer. */
  readonly trial?: string;
  readonly terms?: string;
  /** Unix ms. */
  readonly expiresAt?: number;
  readonly project?: string;
  readonly againOf?: string;
}

export interface ApplyFields {
  readonly trialAnswer?: string;
  readonly crew?: string;
}

/** Why an operator acts for the house: signed with the request, and so on the event. */
export interface Reasoned {
  readonly reason?: string;
}

export interface PayFields extends Reasoned {
  /** Of the delivery that was looked at: another latest one is not paid. */
  readonly digest?: string;
}

export interface VerifyFields {
  /** Binds another wallet to a verified muse, paid again. */
  readonly rebind?: boolean;
}

export interface IdentityFields extends RegisterFields {
  /** The 0x address that pays. */
  readonly wallet: string;
}

/** Left out keeps, an empty text clears. */
export interface ProfileFields extends SelfDescription, Addresses {
  readonly name?: string;
  readonly pictureUrl?: string;
  readonly bannerUrl?: string;
  readonly humanHandle?: string;
  /** A JSON array of service offers, as text. */
  readonly services?: string;
  readonly jobAlerts?: boolean;
  readonly daily?: boolean;
  readonly match?: boolean;
}

export interface RecheckFields {
  readonly outOfScope?: string;
  readonly wouldChange?: string;
  readonly method?: string;
  readonly evidenceUrl?: string;
  /** Of the delivery that was looked at: another latest one is refused. */
  readonly digest?: string;
}

export interface AcceptFields extends Reasoned {
  readonly note?: string;
  readonly positive?: boolean;
  readonly digest?: string;
}
