import { SECOND_MS } from '#libs/kernel/clock.js';
import { isKnown, type KnownMuse, type Muse, walletOf } from '#libs/domain/muse.js';
import type { Accepted } from '#libs/domain/payment.js';
import type { Facts } from './facts.js';

/** Maximum difference between the clocks of processes, with the time from a request to its event. */
const READ_BEFORE_MS = 10 * SECOND_MS;

/** An address in lower case; null for none, undefined where that is private or erased. */
export type Receiver = string | null | undefined;

/** A muse before a change of the address that it is paid at. */
interface Past {
  readonly muse: KnownMuse;
  readonly until: number;
}

/**
 * The addresses that muses are paid at, by their streams. The basis of a payment does not name its payee's stream, so
 * addresses of shortly before count too.
 */
export class Payees {
  private readonly past = new Map<string, Past[]>();

  constructor(private readonly muse: (id: string) => Muse) {}

  /**
   * Takes a change of a muse. `at` is the latest time in the log, not that of the event: the effect of a payment has the
   * time of its request and is written once the money is there.
   */
  take(before: Muse, after: Muse, at: number): void {
    if (!isKnown(before) || !isKnown(after) || isPaidAlike(before, after)) return;
    const past = this.past.get(before.muse_id);
    if (past) past.push({ muse: before, until: at });
    else this.past.set(before.muse_id, [{ muse: before, until: at }]);
  }

  /** The verified wallets of a muse that a request names. */
  ofMuse(id: string, at: number): Receiver[] {
    return this.since(id, at).map(({ wallet }) => inLowerCase(wallet));
  }

  /**
   * The addresses that a worker's wage may go to: its verified wallet, else its payout address. Those of the identity
   * that it is linked to come first. `isWhole`: payout addresses that were not erased are shown.
   */
  ofWage(worker: string, at: number, isWhole: boolean): Receiver[] {
    return this.since(worker, at).flatMap(own => {
      const later = own.linkedTo === null ? [] : this.since(own.linkedTo, at);
      const first = later.map(muse => receiverOf(muse, isWhole));
      const isPaidElsewhere = first.length > 0 && first.every(address => typeof address === 'string');
      return isPaidElsewhere ? first : [...first.filter(address => address !== null), receiverOf(own, isWhole)];
    });
  }

  /** States of a muse from shortly before a time until now. */
  private since(id: string, at: number): KnownMuse[] {
    const now = this.muse(id);
    const past = (this.past.get(id) ?? []).filter(({ until }) => until >= at - READ_BEFORE_MS);
    return [...past.map(({ muse }) => muse), ...(isKnown(now) ? [now] : [])];
  }
}

const inLowerCase = (address: string | null) => address?.toLowerCase() ?? null;

/** Everybody has a name: where it is not there, the rest of what was said was erased too. */
const isShown = ({ name }: KnownMuse) => name !== null;

function receiverOf(muse: KnownMuse, isWhole: boolean): Receiver {
  const address = inLowerCase(walletOf(muse));
  return address === null && !(isWhole && isShown(muse)) ? undefined : address;
}

const isPaidAlike = (one: KnownMuse, other: KnownMuse) =>
  walletOf(one) === walletOf(other) &&
  one.wallet === other.wallet &&
  one.linkedTo === other.linkedTo &&
  isShown(one) === isShown(other);

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
