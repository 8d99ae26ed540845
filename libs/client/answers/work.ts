import type { Ok, MaybePaid, Page, SignedDocument } from './common.js';
import type { Application, FeedItem, Muses, WorkPosition, Role } from '../resources.js';

export interface JobAnswer extends MaybePaid {
  readonly role: string;
  readonly url: string;
}

export interface RolesAnswer extends Page {
  readonly roles: readonly Role[];
}

export interface RoleAnswer extends Page {
  readonly role: Role;
  readonly applications: readonly Application[];
}

export interface ApplyAnswer extends Ok {
  readonly role: string;
  readonly status: 'applied';
  readonly evidence: string;
  readonly edited: boolean;
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

export interface HireAnswer extends Ok {
  readonly hire: number;
  readonly evidence: string;
  readonly position: WorkPosition;
}

export interface DeliverAnswer extends Ok {
  readonly hire: number;
  readonly settlement: 'delivered';
  readonly digest: string | null;
  readonly evidence: string;
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

export interface PayAnswer extends MaybePaid {
  readonly hire: number;
  readonly receipt: FeedItem;
}

export interface RecordAnswer extends Ok {
  readonly record: SignedDocument;
  readonly live: { readonly matches: boolean | null; readonly checked_at: number | null };
}
