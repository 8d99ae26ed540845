import { clockOf } from '#libs/setup/file-clock.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import type { Settings } from '#libs/setup/settings.js';
import { commandFor } from '#libs/terminal/command-line.js';
import { type ListedPayment, listPayments } from '../payments.js';
import { failedCheck, type Check, passedCheck } from './check.js';
import { withLog } from './stores.js';

/** How old a payment gets before it should have ended: an authorization is good for minutes. */
const OPEN_MINUTES_MAX = 10;
/** How many payments are named. */
const NAMED_MAX = 5;

/** Payments that do not end, and money that was taken for nothing. */
export function checkPayments(settings: Settings): Promise<Check[]> {
  return withLog(settings, async log => {
    const all = await listPayments(log);
    const before = clockOf(settings).now() - OPEN_MINUTES_MAX * MINUTE_MS;
    const stuck = all.filter(({ state, at }) => state === 'open' && at < before);
    const owed = all.filter(({ state }) => state === 'void');
    const lost = all.filter(({ state }) => state === 'lost');
    const findings = [
      ...(stuck.length > 0 ? [stuckFinding(stuck)] : []),
      ...(owed.length > 0 ? [owedFinding(owed)] : []),
      ...(lost.length > 0 ? [lostFinding(lost)] : []),
    ];
    return findings.length > 0
      ? findings
      : [passedCheck('payments', `Of ${all.length} payments none is stuck, owed or lost.`)];
  });
}

const stuckFinding = (some: readonly ListedPayment[]) =>
  failedCheck(
    'payments',
    `${some.length} payments are older than ${OPEN_MINUTES_MAX} minutes and have not ended: ${describePayments(some)}`,
    'The running service drives them to their end by itself: look whether it runs, whether the chains answer and ' +
      'whether the relayer can pay for its transactions. One that is not_applied has settled, and what was paid for ' +
      'fails: its reason is in the log of the service.',
  );

const owedFinding = (some: readonly ListedPayment[]) =>
  failedCheck(
    'payments',
    `${some.length} payments were taken for something that had lost its object meanwhile: ${describePayments(some)}`,
    `The payers are owed: pay them back from SERVICE_WALLET. ${commandFor('operator', 'payments')} lists them as void.`,
  );

const lostFinding = (some: readonly ListedPayment[]) =>
  failedCheck(
    'payments',
    `${some.length} payments had settled, which a reorganisation of their chain took back for good: ${describePayments(some)}`,
    'The hire of a wage counts as unpaid again: its poster is to pay anew. What another one bought stands: ask its payer. ' +
      'A higher <RAIL>_CONFIRMATIONS makes it rarer.',
  );

function describePayments(some: readonly ListedPayment[]): string {
  const texts = some.slice(0, NAMED_MAX).map(({ endpoint, muse_id, amount, id }) => {
    return `${formatUsdAmount(BigInt(amount))} USD by ${muse_id} for ${endpoint} (${id})`;
  });
  return `${texts.join(', ')}${some.length > NAMED_MAX ? ' and more' : ''}.`;
}
