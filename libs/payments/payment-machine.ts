import type { Payment } from '#libs/domain/payment.js';

type AppliedPayment = Extract<Payment, { status: 'applied' }>;

/** What the chain says of an authorization. */
export type AuthorizationStatus =
  | {
      readonly status: 'unused';
      /** `closed` once its time is over by any clock; `over` once a final block shows that. */
      readonly window: 'open' | 'closed' | 'over';
      /** The contract's reason against the transfer as things stand, where it was asked. */
      readonly refusal: string | null;
    }
  /** The transfer took place in a confirmed block. Whoever sent the transaction, the payer has paid. */
  | { readonly status: 'used'; readonly tx: string; readonly block: number }
  /** It was cancelled, or used for another transfer, in a final block. */
  | { readonly status: 'spent' }
  /** The authorization was used or cancelled, but in no block yet that is deep enough. */
  | { readonly status: 'unconfirmed' }
  /** A final block shows that it was used or cancelled, and no node shows where: nodes throw away old logs. */
  | { readonly status: 'unclear' };

/** What one drive of a payment knows besides the payment's events. It lives in memory only. */
export interface Observation {
  /** Whether every claim of the payment is taken, or why one of them cannot be. */
  readonly claims: 'unknown' | 'had' | { readonly lost: string };
  /** Null where the chain is to be asked, for the first time or again. */
  readonly authorizationStatus: AuthorizationStatus | null;
  /**
   * What is known of our newest transaction. `unsent`: not sent, or nobody knows whether it was. `rejected`: refused
   * by the node or by the contract a moment ago. `stuck`: sent, and in no block for too long. `failed`: refused, and
   * old enough to be replaced by a new one.
   */
  readonly transaction: 'unsent' | 'sent' | 'rejected' | 'stuck' | 'failed';
  /** Since when (unix ms) the transfer of a payment that has settled is no longer where it was; null where it is. */
  readonly missingSince: number | null;
}

/** What a drive knows that has only read the payment's events. */
export const UNOBSERVED: Observation = {
  claims: 'unknown',
  authorizationStatus: null,
  transaction: 'unsent',
  missingSince: null,
};

export type Step =
  | { readonly do: 'claim' | 'observe' | 'submit' | 'broadcast' | 'replace' | 'wait' | 'expire' | 'apply' | 'done' }
  | { readonly do: 'settle'; readonly tx: string; readonly block: number }
  | { readonly do: 'refuse'; readonly reason: string }
  | { readonly do: 'lose'; readonly reason: LossReason };

export type LossReason = typeof SPENT | typeof EXPIRED;

/** Every step by name, in the order in which a payment can meet them. */
export const STEPS = [
  'claim',
  'observe',
  'submit',
  'broadcast',
  'replace',
  'wait',
  'settle',
  'refuse',
  'expire',
  'apply',
  'lose',
  'done',
] as const satisfies readonly Step['do'][];

/** The reason of a payment whose authorization was cancelled or used for something else after it was accepted. */
export const SPENT = 'authorization_spent';
/** The reason of one that was not used in its time. */
export const EXPIRED = 'authorization_expired';

/**
 * What is to be done next about a payment. Pure. The events decide first, then what was observed on the chain. Whatever
 * is in doubt is observed again, and a payment is never given up while its authorization can still be used.
 */
export function nextStep(payment: Payment, observation: Observation): Step {
  switch (payment.status) {
    case 'unknown':
    case 'refused':
    case 'expired':
    case 'lost':
      return { do: 'done' };
    case 'applied':
      return observation.missingSince === null ? { do: 'done' } : afterReorganisation(payment, observation);
    case 'settled':
      return { do: 'apply' };
    case 'accepted':
      return afterAccepted(observation);
    case 'submitted':
      return afterObserving(observation.authorizationStatus, refusal => afterSubmitted(observation, refusal));
    default:
      payment satisfies never;
      return { do: 'done' };
  }
}

/** Nothing was sent yet: every claim is taken before anything is. */
function afterAccepted({ claims, authorizationStatus: onChain }: Observation): Step {
  if (claims === 'unknown') return { do: 'claim' };
  if (claims !== 'had') return { do: 'refuse', reason: claims.lost };
  return afterObserving(onChain, refusal => ({ do: refusal === null ? 'submit' : 'wait' }));
}

/**
 * A reorganisation took the transfer out of its block. It is brought back as it was first made; where that can never be
 * any more, it is lost.
 */
function afterReorganisation({ tx, block, submitted }: AppliedPayment, observation: Observation): Step {
  const sent = submitted.length > 0;
  const step = afterObserving(observation.authorizationStatus, refusal =>
    sent ? afterSubmitted(observation, refusal) : { do: refusal === null ? 'submit' : 'wait' },
  );
  if (step.do === 'settle') return step.tx === tx && step.block === block ? { do: 'done' } : step;
  if (step.do === 'refuse') return { do: 'lose', reason: SPENT };
  return step.do === 'expire' ? { do: 'lose', reason: EXPIRED } : step;
}

/** What the authorization's state on the chain leads to; `open` says what to do while it can be used. */
function afterObserving(onChain: AuthorizationStatus | null, open: (refusal: string | null) => Step): Step {
  switch (onChain?.status) {
    case undefined:
      return { do: 'observe' };
    case 'used':
      return { do: 'settle', tx: onChain.tx, block: onChain.block };
    case 'spent':
      return { do: 'refuse', reason: SPENT };
    case 'unconfirmed':
    case 'unclear':
      return { do: 'wait' };
    case 'unused':
      if (onChain.window === 'open') return open(onChain.refusal);
      return { do: onChain.window === 'over' ? 'expire' : 'wait' };
    default:
      onChain satisfies undefined;
      return { do: 'observe' };
  }
}

/** A transfer that the contract refuses now may succeed later, so it is waited for until its time is over. */
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
      return { do: 'observe' };
  }
}
