import type { Payment } from '#libs/domain/payment.js';

type AppliedPayment = Extract<Payment, { status: 'applied' }>;

export type AuthorizationStatus =
  | {
      readonly status: 'unused';
      /** `closed`: expired by some clock. `over`: a final block shows that. */
      readonly window: 'open' | 'closed' | 'over';
      readonly refusal: string | null;
    }
  /** The transfer is in a confirmed block. Any account may have sent it. */
  | { readonly status: 'used'; readonly tx: string; readonly block: number }
  /** A final block shows the authorization as cancelled, or used for another transfer. */
  | { readonly status: 'spent' }
  /** The authorization was used or cancelled, in a block that is not deep enough yet. */
  | { readonly status: 'unconfirmed' }
  /** A final block shows a use or cancellation, but no node has the transaction, because nodes prune old logs. */
  | { readonly status: 'unclear' };

/** Observed state of a payment or of an escrow. `onChain` is null before a look. */
export interface Seen<Status> {
  readonly onChain: Status | null;
  /**
   * State of our newest transaction. `unsent` includes unknown; `rejected`: refused a moment ago; `stuck`: in no block
   * for too long; `failed`: rejected, and due for replacement.
   */
  readonly transaction: 'unsent' | 'sent' | 'rejected' | 'stuck' | 'failed';
  /** Time since which a reorganisation has removed the transfer, unix ms. */
  readonly missingSince: number | null;
}

export interface Observation extends Seen<AuthorizationStatus> {
  readonly claims: 'unknown' | 'held' | { readonly lost: string };
}

export const UNOBSERVED: Observation = {
  claims: 'unknown',
  onChain: null,
  transaction: 'unsent',
  missingSince: null,
};

export type Step =
  | { readonly do: 'claim' | 'observe' | 'submit' | 'broadcast' | 'replace' | 'wait' | 'expire' | 'apply' | 'done' }
  | { readonly do: 'settle'; readonly tx: string; readonly block: number }
  | { readonly do: 'refuse'; readonly reason: string }
  | { readonly do: 'lose'; readonly reason: LossReason };

export type LossReason = typeof SPENT | typeof EXPIRED;

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

export const SPENT = 'authorization_spent';
export const EXPIRED = 'authorization_expired';

/**
 * Decides the next step from the events first, then from the observation. Never gives up a payment while its
 * authorization can be used.
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
      return afterObserving(observation.onChain, refusal => afterSubmitted(observation, refusal));
    default:
      payment satisfies never;
      return { do: 'done' };
  }
}

function afterAccepted({ claims, onChain: status }: Observation): Step {
  if (claims === 'unknown') return { do: 'claim' };
  if (claims !== 'held') return { do: 'refuse', reason: claims.lost };
  return afterObserving(status, refusal => ({ do: refusal === null ? 'submit' : 'wait' }));
}

function afterReorganisation({ tx, block, submitted }: AppliedPayment, observation: Observation): Step {
  const hasSubmission = submitted.length > 0;
  const step = afterObserving(observation.onChain, refusal =>
    hasSubmission ? afterSubmitted(observation, refusal) : { do: refusal === null ? 'submit' : 'wait' },
  );
  if (step.do === 'settle') return step.tx === tx && step.block === block ? { do: 'done' } : step;
  if (step.do === 'refuse') return { do: 'lose', reason: SPENT };
  return step.do === 'expire' ? { do: 'lose', reason: EXPIRED } : step;
}

function afterObserving(status: AuthorizationStatus | null, whileOpen: (refusal: string | null) => Step): Step {
  switch (status?.status) {
    case undefined:
      return { do: 'observe' };
    case 'used':
      return { do: 'settle', tx: status.tx, block: status.block };
    case 'spent':
      return { do: 'refuse', reason: SPENT };
    case 'unconfirmed':
    case 'unclear':
      return { do: 'wait' };
    case 'unused':
      if (status.window === 'open') return whileOpen(status.refusal);
      return { do: status.window === 'over' ? 'expire' : 'wait' };
    default:
      status satisfies undefined;
      return { do: 'observe' };
  }
}

/** A transfer that the contract refuses now may succeed later, so it waits until the authorization expires. */
const afterSubmitted = ({ transaction }: Observation, refusal: string | null): Step =>
  sendingStep(transaction, () => ({ do: refusal === null ? 'submit' : 'wait' }));

/** Step for our newest transaction, of a payment or of the end of an escrow. */
export function sendingStep<T>(
  transaction: Observation['transaction'],
  afterFailure: () => T,
): T | { readonly do: 'broadcast' | 'wait' | 'replace' | 'observe' } {
  switch (transaction) {
    case 'unsent':
      return { do: 'broadcast' };
    case 'sent':
    case 'rejected':
      return { do: 'wait' };
    case 'stuck':
      return { do: 'replace' };
    case 'failed':
      return afterFailure();
    default:
      transaction satisfies never;
      return { do: 'observe' };
  }
}
