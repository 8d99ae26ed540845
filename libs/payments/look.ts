import type { Payment } from '#libs/streams/payment.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Chain, Receipt, TransferAuthorization } from './chain.port.js';
import { acceptedOf, authorizationOf, type Record } from './ledger.js';
import type { Observation, Seen } from './machine.js';
import type { Timing } from './timing.js';

/** How many transactions are written down for one payment, at most. */
export const SUBMISSIONS_MAX = 8;
/** How many of a payment's transactions are asked after in one look. */
const RECEIPTS_MAX = SUBMISSIONS_MAX;

type Looked = Pick<Observation, 'seen' | 'transaction'>;
type Transaction = Observation['transaction'];

/** One look at one payment. */
export interface Look {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly record: Record;
  /** What was known of our newest transaction before. */
  readonly known: Transaction;
}

/**
 * Asks the chain what became of a payment: first after our own transactions, and after the authorization itself where
 * these do not tell. A transaction of ours that failed proves nothing: a stranger may have been faster.
 */
export async function look(look: Look): Promise<Looked> {
  const signed = authorizationOf(acceptedOf(look.record));
  const receipts = await receiptsOf(look, signed);
  const paid = receipts.find(receipt => receipt?.confirmed && receipt.use?.paid);
  if (paid?.use) return { seen: { status: 'used', tx: paid.use.tx, block: paid.use.block }, transaction: look.known };
  const transaction = transactionOf(look, receipts);
  if (receipts.some(receipt => receipt && !receipt.confirmed)) return { seen: { status: 'unconfirmed' }, transaction };
  if (transaction === 'sent' && !isOver(look, signed)) return { seen: OPEN, transaction };
  return { seen: await seenOfAuthorization(look, signed, transaction), transaction };
}

const OPEN: Seen = { status: 'unused', window: 'open', refusal: null };

/** Newest first. */
function receiptsOf({ chain, record }: Look, signed: TransferAuthorization): Promise<(Receipt | null)[]> {
  return Promise.all(
    submittedOf(record.state)
      .slice(-RECEIPTS_MAX)
      .reverse()
      .map(({ tx }) => chain.receipt(tx, signed)),
  );
}

const submittedOf = (state: Payment) => (state.status === 'unknown' ? [] : state.submitted);

/** What is known of the newest transaction; one that is young is waited for, whatever happened to it. */
function transactionOf({ clock, timing, record, known }: Look, [newest]: (Receipt | null)[]): Transaction {
  const last = record.events.findLast(({ type }) => type === 'PaymentSubmitted');
  if (!last || (known === 'unsent' && !newest)) return 'unsent';
  const count = submittedOf(record.state).length;
  const age = clock.now() - last.at;
  const patience = (ms: number) => count >= SUBMISSIONS_MAX || age < ms * 2 ** (count - 1);
  if (newest || known === 'rejected' || known === 'failed') return patience(timing.resubmitMs) ? 'rejected' : 'failed';
  return patience(timing.stuckMs) ? 'sent' : 'stuck';
}

/** The end of the time in which the authorization can be used, in unix seconds, as some clock sees it. */
const isPast = ({ validBefore }: TransferAuthorization, seconds: number) =>
  BigInt(Math.floor(seconds)) >= BigInt(validBefore);
const isOver = ({ clock }: Look, signed: TransferAuthorization) => isPast(signed, clock.now() / 1000);

async function seenOfAuthorization(
  look: Look,
  signed: ReturnType<typeof authorizationOf>,
  transaction: Transaction,
): Promise<Seen> {
  const { chain, record } = look;
  const { used, timestamp } = await chain.observe(signed.from, signed.nonce);
  if (used) return useOf(chain, signed, acceptedOf(record).data.block);
  if (isPast(signed, timestamp) || isOver(look, signed)) return closed(chain, signed);
  const asked = record.state.status === 'accepted' || transaction === 'failed';
  const refusal = asked ? await chain.simulate(signed, signed.signature) : null;
  return { status: 'unused', window: 'open', refusal };
}

/** A use is looked for from the block on in which the authorization was read as unused. */
async function useOf(chain: Chain, signed: TransferAuthorization, fromBlock: number): Promise<Seen> {
  const use = await chain.findUse(signed, fromBlock);
  if (use === null) return { status: 'unconfirmed' };
  return use.paid ? { status: 'used', tx: use.tx, block: use.block } : { status: 'spent' };
}

async function closed(chain: Chain, signed: TransferAuthorization): Promise<Seen> {
  const confirmed = await chain.observeConfirmed(signed.from, signed.nonce);
  if (confirmed.used) return { status: 'unconfirmed' };
  // The token takes an authorization while the block's time is before `validBefore`: later has to be later than that.
  const over = BigInt(confirmed.timestamp) > BigInt(signed.validBefore);
  return { status: 'unused', window: over ? 'over' : 'closed', refusal: null };
}
