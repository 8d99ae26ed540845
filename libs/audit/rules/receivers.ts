import type { Accepted } from '#libs/streams/payment.js';
import type { Facts } from './facts.js';
import type { Receiver } from './payees.js';

/**
 * Where a payment may go, by what it is for, once what was before it is known; null where the log does not say it: the
 * wallet that fees go to stands nowhere.
 */
export function receiversOf({ data, at }: Accepted, facts: Facts): readonly Receiver[] | null {
  const { endpoint, fields, pay_to } = data;
  if (endpoint === 'message') {
    const reader = fields?.['to'];
    return reader === undefined ? null : facts.payees.ofMessage(reader, at);
  }
  const hire = endpoint === 'pay' ? facts.hire(hireOf(data)) : null;
  // Who has the key of what is held has those of what is private too.
  return hire === null || hire.status === 'unknown' ? null : facts.payees.ofWage(hire.worker, at, pay_to !== null);
}

/** Before the event named the hire its request did. */
const hireOf = ({ hire, fields }: Accepted['data']) => hire ?? Number(fields?.['hire']);

/** Whether an address is one of them; null where that cannot be known. */
export function isAmong(receivers: readonly Receiver[] | null, address: string): boolean | null {
  if (receivers === null) return null;
  if (receivers.includes(address.toLowerCase())) return true;
  return receivers.includes(undefined) ? null : false;
}
