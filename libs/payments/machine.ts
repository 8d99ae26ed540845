import type { Payment } from '#libs/streams/payment.js';

/** What the chain says of an authorization. */
export type Seen =
  | {
      readonly status: 'unused';
      /** `closed` once its time is over by any clock; `over` once a confirmed block shows that. */
      readonly window: 'open' | 'closed' | 'over';
      /** The contract's reason against the transfer as things stand, where it was asked. */
      readonly refusal: string | null;
    }
  /** The transfer took place, in a confirmed block, whoever sent it. */
  | { readonly status: 'used'; readonly tx: string; readonly block: number }
  /** It was cancelled, or used for another transfer, in a confirmed block. */
  | { readonly status: 'spent' }
  /** There is something, but in no confirmed block yet. */
  | { readonly status: 'unconfirmed' };

/** What one drive of a payment knows besides the payment's events; forgotten with the process. */
export interface Observation {
  /** Whether everything that must be unique is reserved, or for which reason it cannot be. */
  readonly claims: 'unknown' | 'had' | { readonly lost: string };
  /** Null where the chain is to be asked, for the first time or again. */
  readonly seen: Seen | null;
  /**
   * What is known of our newest transaction: `unsent` also where nobody knows; `rejected` by the node a moment ago;
   * `stuck` in no block for too long; `failed` for good, and time for another one.
   */
  readonly transaction: 'unsent' | 'sent' | 'rejected' | 'stuck' | 'failed';
}

/** How a drive begins that finds a payment and knows nothing else. */
export const UNOBSERVED: Observation = { claims: 'unknown', seen: null, transaction: 'unsent' };

export type Step =
  | { readonly do: 'claim' | 'look' | 'submit' | 'broadcast' | 'replace' | 'wait' | 'expire' | 'apply' | 'done' }
  | { readonly do: 'settle'; readonly tx: string; readonly block: number }
  | { readonly do: 'refuse'; readonly reason: string };

/** Every step by name, in the order in which a payment can meet them. */
export const STEPS = [
  'claim',
  'look',
  'submit',
  'broadcast',
  'replace',
  'wait',
  'settle',
  'refuse',
  'expire',
  'apply',
  'done',
] as const satisfies readonly Step['do'][];

/** The reason of a payment whose authorization was cancelled or used for something else after it was accepted. */
export const SPENT = 'authorization_spent';

/**
 * The money path: what is to be done next about a payment. Pure. What has been written down decides first, then what
 * was seen; whatever is in doubt is looked at again, and nothing is given up while the authorization can still be used.
 */
export function nextStep(payment: Payment, observation: Observation): Step {
  switch (payment.status) {
    case 'unknown':
    case 'applied':
    case 'refused':
    case 'expired':
      return { do: 'done' };
    case 'settled':
      return { do: 'apply' };
    case 'accepted':
      return afterAccepted(observation);
    case 'submitted':
      return afterSeen(observation.seen, refusal => afterSubmitted(observation, refusal));
    default:
      payment satisfies never;
      return { do: 'done' };
  }
}

/** Nothing was sent yet: what must be unique is reserved before anything is. */
function afterAccepted({ claims, seen }: Observation): Step {
  if (claims === 'unknown') return { do: 'claim' };
  if (claims !== 'had') return { do: 'refuse', reason: claims.lost };
  return afterSeen(seen, refusal => ({ do: refusal === null ? 'submit' : 'wait' }));
}

/** `open` says what to do while the authorization can be used. */
function afterSeen(seen: Seen | null, open: (refusal: string | null) => Step): Step {
  switch (seen?.status) {
    case undefined:
      return { do: 'look' };
    case 'used':
      return { do: 'settle', tx: seen.tx, block: seen.block };
    case 'spent':
      return { do: 'refuse', reason: SPENT };
    case 'unconfirmed':
      return { do: 'wait' };
    case 'unused':
      if (seen.window === 'open') return open(seen.refusal);
      return { do: seen.window === 'over' ? 'expire' : 'wait' };
    default:
      seen satisfies undefined;
      return { do: 'look' };
  }
}

/** A transfer that the contract refuses now may be possible later, and until its time is over somebody may send it. */
function afterSubmitted({ transaction }: Observation, refusal: string | null): Step {
  switch (transaction) {
    case 'unsent':
      return { do: 'broadcast' };
    case 'sent':
    case 'rejected':
      return { do: 'wait' };
    case 'stuck':
      return { do: 'replace' };
    case 'failed':
      return { do: refusal === null ? 'submit' : 'wait' };
    default:
      transaction satisfies never;
      return { do: 'look' };
  }
}
