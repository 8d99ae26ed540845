import { clockOf } from '#libs/setup/file-clock.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { usdOfUnits } from '#libs/kernel/money.js';
import type { Settings } from '#libs/setup/settings.js';
import { type ListedPayment, paymentsIn } from '../payments.js';
import { bad, type Check, good } from './check.js';
import { withLog } from './stores.js';

/** How old a payment gets before it should have ended: an authorization is good for minutes. */
const OPEN_MINUTES_MAX = 10;
/** How many payments are named. */
const NAMED_MAX = 5;

/** Payments that do not end, and money that was taken for nothing. */
export function checkPayments(settings: Settings): Promise<Check[]> {
  return withLog(settings, async log => {
    const all = await paymentsIn(log);
    const before = clockOf(settings).now() - OPEN_MINUTES_MAX * MINUTE_MS;
    const stuck = all.filter(({ state, at }) => state === 'open' && at < before);
    const owed = all.filter(({ state }) => state === 'void');
    const findings = [...(stuck.length > 0 ? [stuckOnes(stuck)] : []), ...(owed.length > 0 ? [owedOnes(owed)] : [])];
    return findings.length > 0 ? findings : [good('payments', `Of ${all.length} payments none is stuck or owed.`)];
  });
}

const stuckOnes = (some: readonly ListedPayment[]) =>
  bad(
    'payments',
    `${some.length} payments are older than ${OPEN_MINUTES_MAX} minutes and have not ended: ${named(some)}`,
    'The running service drives them to their end by itself: look whether it runs, whether the chains answer and ' +
      'whether the relayer can pay for its transactions.',
  );

const owedOnes = (some: readonly ListedPayment[]) =>
  bad(
    'payments',
    `${some.length} payments were taken for something that had lost its object meanwhile: ${named(some)}`,
    'The payers are owed: pay them back from SERVICE_WALLET. npm run operator -- payments lists them as void.',
  );

function named(some: readonly ListedPayment[]): string {
  const texts = some.slice(0, NAMED_MAX).map(({ endpoint, muse_id, amount, id }) => {
    return `${usdOfUnits(BigInt(amount))} USD by ${muse_id} for ${endpoint} (${id})`;
  });
  return `${texts.join(', ')}${some.length > NAMED_MAX ? ' and more' : ''}.`;
}
