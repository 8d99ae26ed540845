import type { Clock } from '#libs/kernel/clock.js';
import { type Chain, type ExpectedUse, FACILITATOR_ACCOUNT, type Receipt } from './chain.port.js';
import { acceptedEvent, signedPayment, submittedIn, type PaymentStream } from './ledger.js';
import type { Observation, AuthorizationStatus } from './payment-machine.js';
import { schemeOf } from './schemes.js';
import type { SignedPayment } from './scheme.js';
import type { Timing } from './timing.js';

const SUBMISSIONS_MAX = 8;
const RECEIPTS_MAX = SUBMISSIONS_MAX;

type ObservationUpdate = Pick<Observation, 'onChain' | 'transaction'>;
type Transaction = Observation['transaction'];

interface ObservationContext {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly payment: PaymentStream;
  readonly previous: Observation;
}

/**
 * Observes a payment: first the receipts of our transactions, then the authorization. A failed transaction proves
 * nothing, because a third party may have sent the same authorization first.
 */
export async function observePayment(context: ObservationContext): Promise<ObservationUpdate> {
  const signed = signedPayment(acceptedEvent(context.payment));
  const receipts = await readReceipts(context, schemeOf(signed).expectedUse(signed));
  const payingReceipt = receipts.find(receipt => receipt?.confirmed && receipt.use?.paid);
  if (payingReceipt?.use)
    return {
      onChain: { status: 'used', tx: payingReceipt.use.tx, block: payingReceipt.use.block },
      transaction: context.previous.transaction,
    };
  const transaction = paymentTransactionStatus(context, receipts);
  if (receipts.some(receipt => receipt && !receipt.confirmed))
    return { onChain: { status: 'unconfirmed' }, transaction };
  if (transaction === 'sent' && !isExpired(context, signed)) return { onChain: UNUSED_AND_OPEN, transaction };
  return { onChain: await observeAuthorization(context, signed, transaction), transaction };
}

const UNUSED_AND_OPEN: AuthorizationStatus = { status: 'unused', window: 'open', refusal: null };

function readReceipts({ chain, payment }: ObservationContext, expected: ExpectedUse): Promise<(Receipt | null)[]> {
  return Promise.all(
    submittedIn(payment)
      .slice(-RECEIPTS_MAX)
      .reverse()
      .map(({ tx }) => chain.receipt(tx, expected)),
  );
}

const isFacilitator = (account: string) => account === FACILITATOR_ACCOUNT;

function paymentTransactionStatus(
  { chain, clock, timing, payment, previous }: ObservationContext,
  [newest]: (Receipt | null)[],
): Transaction {
  const submitted = submittedIn(payment);
  const latest = submitted.at(-1);
  // A node does not understand a request to a facilitator, nor a facilitator a transaction.
  if (latest && !newest && isFacilitator(latest.relayer) !== isFacilitator(chain.relayer)) return 'failed';
  const submittedAt = payment.events.findLast(({ type }) => type === 'PaymentSubmitted')?.at ?? null;
  const count = submitted.length;
  return transactionStatus({ submittedAt, count, isMined: Boolean(newest), previous, nowMs: clock.now(), timing });
}

interface SubmissionFacts {
  /** Time of the newest submission; null without one. */
  readonly submittedAt: number | null;
  readonly count: number;
  /** Whether a block has the newest transaction, although it did not succeed. */
  readonly isMined: boolean;
  readonly previous: Pick<Observation, 'transaction' | 'missingSince'>;
  readonly nowMs: number;
  readonly timing: Timing;
}

export function transactionStatus({
  submittedAt,
  count,
  isMined,
  previous,
  nowMs,
  timing,
}: SubmissionFacts): Transaction {
  const { transaction: previousStatus, missingSince } = previous;
  if (submittedAt === null || (previousStatus === 'unsent' && !isMined)) return 'unsent';
  const age = nowMs - Math.max(submittedAt, missingSince ?? 0);
  const isWithin = (ms: number) => count >= SUBMISSIONS_MAX || age < ms * 2 ** (count - 1);
  if (isMined || previousStatus === 'rejected' || previousStatus === 'failed')
    return isWithin(timing.resubmitMs) ? 'rejected' : 'failed';
  return isWithin(timing.stuckMs) ? 'sent' : 'stuck';
}

const isPast = ({ validBefore }: SignedPayment, seconds: number) => BigInt(Math.floor(seconds)) >= BigInt(validBefore);
const isExpired = ({ clock }: ObservationContext, signed: SignedPayment) => isPast(signed, clock.now() / 1000);

async function observeAuthorization(
  context: ObservationContext,
  signed: SignedPayment,
  transaction: Transaction,
): Promise<AuthorizationStatus> {
  const { chain, payment } = context;
  const { used, timestamp } = await chain.observe(signed.from, signed.nonce);
  if (used) return observeUse(chain, signed, acceptedEvent(payment).data.block);
  if (isPast(signed, timestamp) || isExpired(context, signed)) return observeClosedWindow(chain, signed);
  const needsSimulation = submittedIn(payment).length === 0 || transaction === 'failed';
  const refusal = needsSimulation ? await chain.simulate(schemeOf(signed).settlingCall(chain.rail, signed)) : null;
  return { status: 'unused', window: 'open', refusal };
}

async function observeUse(chain: Chain, signed: SignedPayment, fromBlock: number): Promise<AuthorizationStatus> {
  const use = await chain.findUse(schemeOf(signed).expectedUse(signed), fromBlock);
  if (use?.paid) return { status: 'used', tx: use.tx, block: use.block };
  const final = await chain.observeFinal(signed.from, signed.nonce);
  if (!final.used) return { status: 'unconfirmed' };
  if (use === null) return { status: 'unclear' };
  return { status: use.block <= final.block ? 'spent' : 'unconfirmed' };
}

async function observeClosedWindow(chain: Chain, signed: SignedPayment): Promise<AuthorizationStatus> {
  const final = await chain.observeFinal(signed.from, signed.nonce);
  if (final.used) return { status: 'unconfirmed' };
  // Only a block after `validBefore` proves expiry: the token accepts the authorization in every earlier one.
  const isOver = BigInt(final.timestamp) > BigInt(signed.validBefore);
  return { status: 'unused', window: isOver ? 'over' : 'closed', refusal: null };
}
