import type { Clock } from '#libs/kernel/clock.js';
import type { Chain, LoggedReceipt } from './chain.port.js';
import { endFilter, escrowCall, findEscrowEnd, parseState, stateCall } from './escrow-calls.js';
import type { EscrowStreams } from './escrow-ledger.js';
import {
  type EscrowDecision,
  type EscrowObservation,
  type EscrowStatus,
  type FinalFunding,
  wantedCall,
} from './escrow-machine.js';
import { acceptedEvent, expectedUseOf, signedPayment } from './ledger.js';
import { transactionStatus } from './observe-payment.js';
import type { EscrowPayment } from './scheme.js';
import type { Timing } from './timing.js';

const RECEIPTS_MAX = 8;

interface EscrowObservationContext {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly streams: EscrowStreams;
  readonly decision: EscrowDecision | null;
  readonly previous: EscrowObservation;
}

/** Observes an escrow: first the receipts of our transactions, then the contract in the newest block. */
export async function observeEscrow(context: EscrowObservationContext): Promise<Partial<EscrowObservation>> {
  const { chain, streams } = context;
  const accepted = acceptedEvent(streams.payment);
  const escrow = signedPayment(accepted).escrow!;
  const submitted = streams.escrow.state.submitted.slice(-RECEIPTS_MAX).reverse();
  const receipts = await Promise.all(submitted.map(({ tx }) => chain.logsOf(tx)));
  const end = receipts
    .flatMap(receipt => (receipt?.isConfirmed ? [findEscrowEnd(escrow, receipt.logs)] : []))
    .find(Boolean);
  if (end) return { onChain: { status: 'ended', ...end } };
  const transaction = endTransactionStatus(context, receipts);
  const { timestamp, results } = await chain.view([stateCall(escrow)]);
  const secondsLeft = accepted.data.escrow!.capture_deadline - timestamp;
  const { isCollected, isHeld } = parseState(results[0] ?? '0x');
  const observed = { transaction, secondsLeft };
  if (isHeld) {
    const [onChain, finalFunding] = await Promise.all([
      observeHeld(context, escrow, observed),
      observeFunding(context),
    ]);
    return { ...observed, onChain, finalFunding };
  }
  return { ...observed, onChain: isCollected ? await observeEnd(context, escrow) : absentStatus(streams) };
}

/** Simulates the wanted call only if it would be sent. */
async function observeHeld(
  { chain, streams, decision }: EscrowObservationContext,
  escrow: EscrowPayment,
  { transaction, secondsLeft }: Pick<EscrowObservation, 'transaction' | 'secondsLeft'>,
): Promise<EscrowStatus> {
  if (decision === null) return { status: 'held', refusal: null };
  const call = wantedCall(streams.escrow.state, decision, secondsLeft);
  const isSent = streams.escrow.state.submitted.at(-1)?.step === call.step && transaction !== 'failed';
  return { status: 'held', refusal: isSent ? null : await chain.simulate(escrowCall(escrow, call)) };
}

/** Looks only while the answer matters: before a decision, and until it is in the log. */
async function observeFunding({ chain, streams, decision }: EscrowObservationContext): Promise<FinalFunding | null> {
  const { payment, escrow } = streams;
  const { state } = payment;
  if (decision !== null || escrow.state.isSecured || state.status !== 'applied') return null;
  const { tx, block } = state;
  const [{ final: finalBlock }, receipt] = await Promise.all([
    chain.heads(),
    chain.receipt(tx, expectedUseOf(acceptedEvent(payment))),
  ]);
  const isInBlock = receipt?.use?.paid === true && receipt.block === block;
  return isInBlock && block <= finalBlock ? { tx, block, finalBlock } : null;
}

async function observeEnd({ chain, streams }: EscrowObservationContext, escrow: EscrowPayment): Promise<EscrowStatus> {
  const { block } = acceptedEvent(streams.payment).data;
  const { address, topics } = endFilter(escrow);
  const log = await chain.findNewestLog(address, topics, block);
  const end = log && findEscrowEnd(escrow, [log]);
  return end ? { status: 'ended', ...end } : { status: 'unconfirmed' };
}

const absentStatus = ({ payment }: EscrowStreams): EscrowStatus =>
  payment.state.status === 'lost' ? { status: 'lost' } : { status: 'unconfirmed' };

function endTransactionStatus(
  { clock, timing, streams, previous }: EscrowObservationContext,
  [newest]: readonly (LoggedReceipt | null)[],
): EscrowObservation['transaction'] {
  const { events, state } = streams.escrow;
  const submittedAt = events.findLast(({ type }) => type === 'EscrowSubmitted')?.at ?? null;
  const count = state.submitted.length;
  // A successful transaction that ended nothing is in a block which the newest one does not follow.
  const hasFailed = newest?.status === 'reverted';
  return transactionStatus({ submittedAt, count, isMined: hasFailed, previous, nowMs: clock.now(), timing });
}
