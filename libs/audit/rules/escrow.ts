import type { EventOf } from '#libs/domain/define.js';
import {
  Escrow,
  EscrowLost,
  EscrowReleased,
  EscrowReturned,
  EscrowSecured,
  EscrowStuck,
  EscrowSubmitted,
} from '#libs/domain/escrow.js';
import type { Payment } from '#libs/domain/payment.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { EscrowParties } from '#libs/payments/escrow-ledger.js';
import {
  type EscrowDecision,
  type EscrowObservation,
  type EscrowStatus,
  type EscrowStep,
  nextEscrowStep,
  UNOBSERVED_ESCROW,
} from '#libs/payments/escrow-machine.js';
import type { AuditState } from './audit-state.js';
import { type Condition, failedConditions, inStream, ruleFor } from './rule.js';

interface EscrowStreamEvent {
  readonly type: string;
  readonly at: number;
  readonly stream: string;
  readonly data: { readonly payment: string };
}

type EventWithParties = EscrowStreamEvent & { readonly data: EscrowParties };

/** Steps that observations allow after the event's stream and the decision of its escrow. */
function stepsOf(
  { at, data: { payment } }: EscrowStreamEvent,
  facts: AuditState,
  statuses: readonly EscrowStatus[],
  observed: Partial<EscrowObservation> = {},
): EscrowStep[] {
  const escrow = facts.escrow(payment);
  const missingSince = escrow.status === 'open' ? null : at;
  const observation = { ...UNOBSERVED_ESCROW, missingSince, secondsLeft: secondsLeft(payment, at, facts), ...observed };
  return statuses.map(onChain => nextEscrowStep(escrow, decisionOf(payment, facts), { ...observation, onChain }));
}

function secondsLeft(payment: string, at: number, facts: AuditState): number {
  const state = facts.payment(payment);
  const deadline = state.status === 'unknown' ? 0 : (state.accepted.data.escrow?.capture_deadline ?? 0);
  return deadline - Math.floor(at / SECOND_MS);
}

export function decisionOf(payment: string, facts: AuditState): EscrowDecision | null {
  const state = facts.payment(payment);
  const isVoid = 'outcome' in state && state.outcome === 'void';
  return isVoid ? { to: 'poster', reason: 'void' } : (facts.escrowDecisions.get(payment) ?? null);
}

const ofFundedPayment = ({ data: { payment } }: EscrowStreamEvent, facts: AuditState): Condition => {
  const state = facts.payment(payment);
  return [state.status !== 'unknown' && state.accepted.data.escrow !== undefined, 'Its payment has no escrow.'];
};

/** Takes the parties of the hire that was funded. A hire that was not made has only its id, in the subject. */
function namesItsParties({ data }: EventWithParties, facts: AuditState): boolean {
  const { payment, hire, role, poster, worker } = data;
  const state = facts.payment(payment);
  if (state.status === 'unknown') return false;
  const { muse_id: payer, subject } = state.accepted.data;
  const funded = hire === undefined ? null : facts.hire(hire);
  const isOfHire =
    funded !== null && funded.status !== 'unknown' && funded.funding?.payment === payment
      ? funded.role === role && funded.poster === poster && funded.worker === worker
      : false;
  const isMade = 'outcome' in state && state.outcome === 'applied' && state.status !== 'lost';
  if (isMade || isOfHire) return isOfHire;
  const isOfSubject = subject === null || (subject as { readonly hire?: number }).hire === hire;
  return poster === payer && role === undefined && worker === undefined && isOfSubject;
}

const ofItsParties = (event: EventWithParties, facts: AuditState): Condition => [
  namesItsParties(event, facts),
  'It names another hire, job, poster or worker than its payment.',
];

function check(
  event: EscrowStreamEvent,
  facts: AuditState,
  isAllowed: boolean,
  ...conditions: readonly Condition[]
): string[] {
  const { status } = facts.escrow(event.data.payment);
  return failedConditions(
    inStream(event, Escrow.streamName(event.data.payment)),
    ofFundedPayment(event, facts),
    [isAllowed, `The escrow was ${status} before it, and its decision and the deadline do not lead to this step.`],
    ...conditions,
  );
}

/** The decision may have been made in the moment in which it was written. */
function checkSecured(event: EventOf<typeof EscrowSecured>, facts: AuditState): string[] {
  const { payment, hire: id, role, poster, worker, tx, block, final_block: finalBlock } = event.data;
  const state = facts.payment(payment);
  const hire = id === undefined ? undefined : facts.hire(id);
  const funding = hire === undefined || hire.status === 'unknown' ? undefined : hire.funding;
  const observation = { ...UNOBSERVED_ESCROW, onChain: HELD, finalFunding: { tx, block, finalBlock } };
  const isNext = nextEscrowStep(facts.escrow(payment), null, observation).do === 'secure';
  return [
    ...check(event, facts, isNext && block <= finalBlock),
    ...failedConditions(
      [state.status === 'applied' && state.tx === tx && state.block === block, 'Its payment did not settle so.'],
      [
        funding?.payment === payment && funding.role === role && funding.poster === poster && funding.worker === worker,
        'No hire of these parties was funded by its payment.',
      ],
    ),
  ];
}

const HELD: EscrowStatus = { status: 'held', refusal: null };
const REFUSED: EscrowStatus = { status: 'held', refusal: 'refused' };

/** A transaction is replaced with a higher fee, or signed again after it failed. */
function checkSubmitted(event: EventOf<typeof EscrowSubmitted>, facts: AuditState): string[] {
  const { payment, step, reason, relayer } = event.data;
  const latest = facts.escrow(payment).submitted.at(-1);
  const isReplacement = latest?.step === step && latest.reason === reason;
  const steps = stepsOf(event, facts, [HELD, REFUSED], { transaction: 'failed' });
  const isNext = steps.some(next => next.do === 'submit' && next.call.step === step && next.call.reason === reason);
  return check(event, facts, isReplacement || isNext, [
    isAccountOf(facts.payment(payment), relayer),
    'Its account did not fund the escrow, so the contract refuses it.',
  ]);
}

/** Only the operator that a payer named can fund its escrow, release it and return it. */
export const isAccountOf = (payment: Payment, relayer: string): boolean =>
  payment.status === 'unknown' ||
  !payment.accepted.data.escrow ||
  payment.accepted.data.escrow.operator.toLowerCase() === relayer.toLowerCase();

const ENDS = { capture: 'release', void: 'return', reclaim: 'return' } as const;

function checkEnd(event: EventOf<typeof EscrowReleased> | EventOf<typeof EscrowReturned>, facts: AuditState): string[] {
  const { payment, tx, block, reason } = event.data;
  const wanted = event.type === EscrowReleased.type ? 'release' : 'return';
  const ways = Object.entries(ENDS).flatMap(([by, end]) => (end === wanted ? [by as keyof typeof ENDS] : []));
  const steps = stepsOf(
    event,
    facts,
    ways.map(by => ({ status: 'ended', by, tx, block })),
  );
  const isOwn = facts.escrow(payment).submitted.some(submission => submission.tx === tx);
  return check(
    event,
    facts,
    steps.some(next => next.do === wanted && next.reason === reason),
    ofItsParties(event, facts),
    [!isOwn || reason !== 'reclaimed', 'Its transaction is one of the service, so the poster did not reclaim it.'],
  );
}

export const ESCROW_RULES = [
  ruleFor(EscrowSecured, checkSecured),
  ruleFor(EscrowSubmitted, checkSubmitted),
  ruleFor(EscrowReleased, checkEnd),
  ruleFor(EscrowReturned, checkEnd),
  ruleFor(EscrowStuck, (event, facts) =>
    check(
      event,
      facts,
      stepsOf(event, facts, [REFUSED], { transaction: 'failed' }).some(next => next.do === 'stick'),
      ofItsParties(event, facts),
    ),
  ),
  ruleFor(EscrowLost, (event, facts) => {
    const isLost = facts.payment(event.data.payment).status === 'lost';
    const isNext = stepsOf(event, facts, [{ status: 'lost' }]).some(next => next.do === 'lose');
    return check(event, facts, isLost && isNext, ofItsParties(event, facts));
  }),
];
