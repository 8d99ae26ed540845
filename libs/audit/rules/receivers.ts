import { SECOND_MS } from '#libs/kernel/clock.js';
import { isKnownMuse, type KnownMuse, type Muse, payoutWalletOf } from '#libs/domain/muse.js';
import type { PaymentAcceptedEvent } from '#libs/domain/payment.js';
import type { AuditState } from './audit-state.js';

/** Maximum difference between the clocks of processes, with the time from a request to its event. */
const CLOCK_SKEW_MS_MAX = 10 * SECOND_MS;

/** An address in lower case; null for none, undefined where that is private or erased. */
export type Receiver = string | null | undefined;

/** A muse before a change of the address that it is paid at. */
interface PastState {
  readonly muse: KnownMuse;
  readonly until: number;
}

/**
 * The addresses that muses are paid at, by their streams. The basis of a payment does not name its payee's stream, so
 * addresses of shortly before count too.
 */
export class PayeeHistory {
  private readonly past = new Map<string, PastState[]>();

  constructor(private readonly muse: (id: string) => Muse) {}

  /**
   * Takes a change of a muse. `at` is the latest time in the log, not that of the event: the effect of a payment has the
   * time of its request and is written once the money is there.
   */
  recordChange(before: Muse, after: Muse, at: number): void {
    if (!isKnownMuse(before) || !isKnownMuse(after) || hasSamePayout(before, after)) return;
    const past = this.past.get(before.muse_id);
    if (past) past.push({ muse: before, until: at });
    else this.past.set(before.muse_id, [{ muse: before, until: at }]);
  }

  /** The verified wallets of a muse that a request names. */
  walletsOf(id: string, at: number): Receiver[] {
    return this.statesSince(id, at).map(({ wallet }) => inLowerCase(wallet));
  }

  /**
   * The addresses that a worker's wage may go to: its verified wallet, else its payout address. Those of the identity
   * that it is linked to come first. `isWhole`: payout addresses that were not erased are shown.
   */
  wageReceivers(worker: string, at: number, isWhole: boolean): Receiver[] {
    return this.statesSince(worker, at).flatMap(own => {
      const later = own.linkedTo === null ? [] : this.statesSince(own.linkedTo, at);
      const first = later.map(muse => receiverOf(muse, isWhole));
      const isPaidElsewhere = first.length > 0 && first.every(address => typeof address === 'string');
      return isPaidElsewhere ? first : [...first.filter(address => address !== null), receiverOf(own, isWhole)];
    });
  }

  /** States of a muse from shortly before a time until now. */
  private statesSince(id: string, at: number): KnownMuse[] {
    const now = this.muse(id);
    const past = (this.past.get(id) ?? []).filter(({ until }) => until >= at - CLOCK_SKEW_MS_MAX);
    return [...past.map(({ muse }) => muse), ...(isKnownMuse(now) ? [now] : [])];
  }
}

const inLowerCase = (address: string | null) => address?.toLowerCase() ?? null;

/** Everybody has a name: where it is not there, the rest of what was said was erased too. */
const isShown = ({ name }: KnownMuse) => name !== null;

function receiverOf(muse: KnownMuse, isWhole: boolean): Receiver {
  const address = inLowerCase(payoutWalletOf(muse));
  return address === null && !(isWhole && isShown(muse)) ? undefined : address;
}

const hasSamePayout = (one: KnownMuse, other: KnownMuse) =>
  payoutWalletOf(one) === payoutWalletOf(other) &&
  one.wallet === other.wallet &&
  one.linkedTo === other.linkedTo &&
  isShown(one) === isShown(other);

/**
 * Where a payment may go, by what it is for, once what was before it is known; null where the log does not say it: the
 * wallet that fees go to stands nowhere.
 */
export function receiversOf({ data, at }: PaymentAcceptedEvent, facts: AuditState): readonly Receiver[] | null {
  const { endpoint, fields, hire: paid, pay_to } = data;
  const payee = facts.sales.get(endpoint)?.payee ?? 'service';
  if (payee === 'service') return null;
  if (payee === 'worker') {
    const hire = paid === undefined ? null : facts.hire(paid);
    // The key of held values comes with those of private ones.
    return hire === null || hire.status === 'unknown'
      ? null
      : facts.payees.wageReceivers(hire.worker, at, pay_to !== null);
  }
  const muse = fields?.[payee.field];
  return muse === undefined ? null : facts.payees.walletsOf(muse, at);
}

/** Whether an address is one of them; null where that cannot be known. */
export function includesReceiver(receivers: readonly Receiver[] | null, address: string): boolean | null {
  if (receivers === null) return null;
  if (receivers.includes(address.toLowerCase())) return true;
  return receivers.includes(undefined) ? null : false;
}
