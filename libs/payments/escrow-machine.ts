import type { Escrow } from '#libs/domain/escrow.js';
import { DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Seen, sendingStep } from './payment-machine.js';

/** Before this time a release that reverts may still succeed. Later the money goes back. */
export const UNDELIVERABLE_SECONDS = (3 * DAY_MS) / SECOND_MS;

export interface EscrowDecision {
  readonly to: 'worker' | 'poster';
  readonly reason: string;
}

export interface EscrowCall {
  readonly step: 'capture' | 'void';
  readonly reason: string;
}

export type EscrowStatus =
  /** The contract holds the money. `refusal`: why it would refuse the wanted call now. */
  | { readonly status: 'held'; readonly refusal: string | null }
  | {
      readonly status: 'ended';
      readonly by: 'capture' | 'void' | 'reclaim';
      readonly tx: string;
      readonly block: number;
    }
  /** The newest block shows an end that is not confirmed, or no funding. */
  | { readonly status: 'unconfirmed' }
  /** The funding payment was lost. */
  | { readonly status: 'lost' };

/** Transaction that funded an escrow, in a block that is final. */
export interface FinalFunding {
  readonly tx: string;
  readonly block: number;
  readonly finalBlock: number;
}

export interface EscrowObservation extends Seen<EscrowStatus> {
  /** From the newest block to the deadline. */
  readonly secondsLeft: number;
  /** Null until the block of the funding is final, and once that is in the log. */
  readonly finalFunding: FinalFunding | null;
}

export const UNOBSERVED_ESCROW: EscrowObservation = {
  onChain: null,
  secondsLeft: Infinity,
  finalFunding: null,
  transaction: 'unsent',
  missingSince: null,
};

export type EscrowStep =
  | { readonly do: 'observe' | 'broadcast' | 'replace' | 'wait' | 'stick' | 'lose' | 'done' }
  | ({ readonly do: 'secure' } & FinalFunding)
  | { readonly do: 'submit'; readonly call: EscrowCall }
  | { readonly do: 'release' | 'return'; readonly reason: string; readonly tx: string; readonly block: number };

export const ESCROW_STEPS = [
  'observe',
  'secure',
  'submit',
  'broadcast',
  'replace',
  'wait',
  'release',
  'return',
  'stick',
  'lose',
  'done',
] as const satisfies readonly EscrowStep['do'][];

/** Decides the next step from the events and the decision first, then from the observation. */
export function nextEscrowStep(
  escrow: Escrow,
  decision: EscrowDecision | null,
  observation: EscrowObservation,
): EscrowStep {
  if (escrow.status === 'lost') return { do: 'done' };
  const hasEnded = escrow.status !== 'open';
  if (hasEnded && observation.missingSince === null) return { do: 'done' };
  const step = afterObserving(escrow, decision, observation);
  return hasEnded && isKnownEnd(escrow, step) ? { do: 'done' } : step;
}

function isKnownEnd({ status, end }: Escrow, step: EscrowStep): boolean {
  if (step.do !== 'release' && step.do !== 'return') return false;
  const isSameEnd = (step.do === 'release') === (status === 'released');
  return isSameEnd && end?.tx === step.tx && end.block === step.block;
}

function afterObserving(escrow: Escrow, decision: EscrowDecision | null, observation: EscrowObservation): EscrowStep {
  const { onChain: seen } = observation;
  switch (seen?.status) {
    case undefined:
      return { do: 'observe' };
    case 'ended':
      return endStep(escrow, decision, seen);
    case 'lost':
      return { do: 'lose' };
    case 'unconfirmed':
      return { do: 'wait' };
    case 'held':
      return decision === null
        ? whileUndecided(escrow, observation)
        : whileHeld(escrow, decision, observation, seen.refusal);
    default:
      seen satisfies undefined;
      return { do: 'observe' };
  }
}

const whileUndecided = ({ status, isSecured }: Escrow, { finalFunding }: EscrowObservation): EscrowStep =>
  status === 'open' && !isSecured && finalFunding !== null ? { do: 'secure', ...finalFunding } : { do: 'wait' };

function endStep(
  { submitted }: Escrow,
  decision: EscrowDecision | null,
  { by, tx, block }: Extract<EscrowStatus, { status: 'ended' }>,
): EscrowStep {
  if (by === 'reclaim') return { do: 'return', reason: 'reclaimed', tx, block };
  // Without a submission, the key of the account was used outside of the service.
  const reason = submitted.findLast(({ step }) => step === by)?.reason ?? decision?.reason ?? 'operator';
  return { do: by === 'capture' ? 'release' : 'return', reason, tx, block };
}

/** A return stays a return. A release becomes one after the deadline. */
export function wantedCall(escrow: Escrow, decision: EscrowDecision, secondsLeft: number): EscrowCall {
  const latest = escrow.submitted.at(-1);
  if (latest?.step === 'void') return latest;
  if (decision.to === 'poster') return { step: 'void', reason: decision.reason };
  return secondsLeft <= 0 ? { step: 'void', reason: 'deadline_missed' } : { step: 'capture', reason: decision.reason };
}

function whileHeld(
  escrow: Escrow,
  decision: EscrowDecision,
  { transaction, secondsLeft }: EscrowObservation,
  refusal: string | null,
): EscrowStep {
  const call = wantedCall(escrow, decision, secondsLeft);
  const submit = (): EscrowStep =>
    refusal === null ? { do: 'submit', call } : afterRefusal(escrow, call, secondsLeft);
  if (escrow.submitted.at(-1)?.step !== call.step) return submit();
  return sendingStep(transaction, submit);
}

function afterRefusal({ isStuck }: Escrow, { step }: EscrowCall, secondsLeft: number): EscrowStep {
  if (step === 'void') return { do: isStuck ? 'wait' : 'stick' };
  if (secondsLeft > UNDELIVERABLE_SECONDS) return { do: 'wait' };
  return { do: 'submit', call: { step: 'void', reason: 'undeliverable' } };
}
