import type { Accepted } from '#libs/streams/payment.js';
import type { Facts } from './facts.js';
import type { Receiver } from './payees.js';

/**
 * Where a payment may go, by what it is for, once what was before it is known; null where the log does not say it: the
 * wallet that fees go to stands nowhere.
 */
export function receiversOf({ data, at }: Accepted, facts: Facts): readonly Receiver[] | null {
  const { endpoint, fields, hire: paid, pay_to } = data;
  const payee = facts.sales.get(endpoint)?.payee ?? 'service';
  if (payee === 'service') return null;
  if (payee === 'worker') {
    const hire = paid === undefined ? null : facts.hire(paid);
    // The key of held values comes with those of private ones.
    return hire === null || hire.status === 'unknown' ? null : facts.payees.ofWage(hire.worker, at, pay_to !== null);
  }
  const muse = fields?.[payee.field];
  return muse === undefined ? null : facts.payees.ofMuse(muse, at);
}

/** Whether an address is one of them; null where that cannot be known. */
export function isAmong(receivers: readonly Receiver[] | null, address: string): boolean | null {
  if (receivers === null) return null;
  if (receivers.includes(address.toLowerCase())) return true;
  return receivers.includes(undefined) ? null : false;
}
