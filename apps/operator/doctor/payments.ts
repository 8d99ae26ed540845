import { clockOf } from '#libs/setup/file-clock.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import type { Settings } from '#libs/setup/settings.js';
import { commandFor } from '#libs/terminal/command-line.js';
import { type ListedPayment, listPayments } from '#apps/operator/payments.js';
import { failedCheck, type Check, passedCheck } from './check.js';
import { withLog } from './stores.js';

/** An authorization is valid for minutes, so an older open payment is stuck. */
const OPEN_MINUTES_MAX = 10;
/** Payments named in a finding. */
const NAMED_MAX = 5;

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
      : [passedCheck('payments', `None of ${all.length} payments is stuck, owed or lost.`)];
  });
}

const stuckFinding = (payments: readonly ListedPayment[]) =>
  failedCheck(
    'payments',
    `${payments.length} payments are older than ${OPEN_MINUTES_MAX} minutes and have not ended: ${describePayments(payments)}`,
    'The running service completes them: check that it runs, that the chains answer and that the relayer can pay for ' +
      'its transactions. A payment that is not_applied has settled, but its action fails: the log of the service has the reason.',
  );

const owedFinding = (payments: readonly ListedPayment[]) =>
  failedCheck(
    'payments',
    `${payments.length} payments settled after their purpose was gone: ${describePayments(payments)}`,
    `Refund the payers from SERVICE_WALLET. ${commandFor('operator', 'payments')} lists them as void.`,
  );

const lostFinding = (payments: readonly ListedPayment[]) =>
  failedCheck(
    'payments',
    `${payments.length} settled payments were undone by a reorganisation of their chain: ${describePayments(payments)}`,
    'A hire whose wage was undone is unpaid: its poster must pay again. Other purchases stay valid: ask their payers to pay again. ' +
      'A higher <RAIL>_CONFIRMATIONS makes this rarer.',
  );

function describePayments(payments: readonly ListedPayment[]): string {
  const texts = payments.slice(0, NAMED_MAX).map(({ endpoint, muse_id, amount, id }) => {
    return `${formatUsdAmount(BigInt(amount))} USD by ${muse_id} for ${endpoint} (${id})`;
  });
  return `${texts.join(', ')}${payments.length > NAMED_MAX ? ' and more' : ''}.`;
}
