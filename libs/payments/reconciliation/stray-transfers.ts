import { isOpenPayment } from '#libs/domain/payment.js';
import { paymentsUsedIn, readTransaction, type TokenTransfer, toTransfer } from './chain-facts.js';
import { type Difference, makeDifference } from './differences.js';
import { isPaid, type LoggedPayment } from './logged-payments.js';
import type { RailRun } from './reconcile-rail.js';
import { formatUnits } from './sums.js';

interface TransferComparison {
  readonly named: readonly TokenTransfer[];
  readonly strays: readonly Difference[];
  /** Transactions of open payments, whose events are still to come. */
  readonly waiting: readonly string[];
}

/** Looks up the payment of each transfer to a wallet for fees, also of those that had none before. */
export async function compareTransfers(run: RailRun, transfers: readonly TokenTransfer[]): Promise<TransferComparison> {
  const { cursor, address, rail, feeWallets } = run;
  const isNamed = namedBy(run.payments);
  const earlier = [...(cursor?.differences ?? []).filter(({ kind }) => kind === 'no_event').map(({ tx }) => tx!)];
  const unnamed = transfers.filter(transfer => !isNamed(transfer)).map(({ tx }) => tx);
  const strays: Difference[] = [];
  const waiting: string[] = [];
  for (const tx of new Set([...earlier, ...(cursor?.waiting ?? []), ...unnamed])) {
    const transaction = await readTransaction(address, rail, tx);
    if (!transaction) continue;
    const used = new Set(paymentsUsedIn(transaction, rail));
    const payment = run.payments.find(({ id }) => used.has(id.toLowerCase()));
    const got = transaction.logs.flatMap(log => toTransfer(log) ?? []).filter(({ to }) => feeWallets.has(to));
    if (payment && isOpenPayment(payment.state)) waiting.push(tx);
    else if (!payment || !isPaid(payment))
      strays.push(...got.filter(transfer => !isNamed(transfer)).map(transfer => stray(run, transfer, payment)));
  }
  return { named: transfers.filter(isNamed), strays, waiting };
}

/** Whether a payment says that this transfer is its own. */
function namedBy(payments: readonly LoggedPayment[]): (transfer: TokenTransfer) => boolean {
  const keyOf = (tx: string, from: string, amount: string) => [tx, from, amount].join('|').toLowerCase();
  const paid = payments.filter(isPaid).map(({ state: { tx, accepted } }) => {
    return keyOf(tx, accepted.data.payer, accepted.data.amount);
  });
  const keys = new Set(paid);
  return ({ tx, from, amount }) => keys.has(keyOf(tx, from, amount.toString()));
}

function stray({ rail }: RailRun, { tx, from, to, amount }: TokenTransfer, payment?: LoggedPayment): Difference {
  const log = payment
    ? `the log calls the payment ${payment.id} ${payment.state.status}`
    : 'no payment of the log says so';
  return makeDifference({
    kind: 'no_event',
    rail: rail.name,
    account: to,
    payment: payment?.id ?? null,
    tx,
    sentence: `The wallet ${to} got ${formatUnits(amount)} USD from ${from} (${tx}), but ${log}.`,
  });
}
