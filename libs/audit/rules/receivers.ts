import { addToList } from '#libs/kernel/list-map.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { isKnownMuse, type KnownMuse, type Muse, payoutWalletOf } from '#libs/domain/muse.js';
import type { PaymentAcceptedEvent } from '#libs/domain/payment.js';
import type { AuditState } from './audit-state.js';

/** Clock difference between processes, plus the time from request to event. */
const CLOCK_SKEW_MS_MAX = 10 * SECOND_MS;

/** Lower case; null without an address, undefined if it is private or erased. */
export type Receiver = string | null | undefined;

interface PastState {
  readonly muse: KnownMuse;
  readonly until: number;
}

/** A payment does not name the stream of its payee, so recent addresses count too. */
export class PayeeHistory {
  private readonly past = new Map<string, PastState[]>();

  constructor(private readonly muse: (id: string) => Muse) {}

  /** `at` is the latest time in the log: a paid event has the time of its request, but is written after settlement. */
  recordChange(before: Muse, after: Muse, at: number): void {
    if (!isKnownMuse(before) || !isKnownMuse(after) || hasSamePayout(before, after)) return;
    addToList(this.past, before.muse_id, { muse: before, until: at });
  }

  walletsOf(id: string, at: number): Receiver[] {
    return this.statesSince(id, at).map(({ wallet }) => inLowerCase(wallet));
  }

  /**
   * The verified wallet, otherwise the payout address; a linked identity comes first. `areAddressesShown`: payout
   * addresses are visible unless erased.
   */
  wageReceivers(worker: string, at: number, areAddressesShown: boolean): Receiver[] {
    return this.statesSince(worker, at).flatMap(state => {
      const linkedStates = state.linkedTo === null ? [] : this.statesSince(state.linkedTo, at);
      const linked = linkedStates.map(muse => receiverOf(muse, areAddressesShown));
      if (linked.length > 0 && linked.every(address => typeof address === 'string')) return linked;
      return [...linked.filter(address => address !== null), receiverOf(state, areAddressesShown)];
    });
  }

  private statesSince(id: string, at: number): KnownMuse[] {
    const now = this.muse(id);
    const past = (this.past.get(id) ?? []).filter(({ until }) => until >= at - CLOCK_SKEW_MS_MAX);
    return [...past.map(({ muse }) => muse), ...(isKnownMuse(now) ? [now] : [])];
  }
}

const inLowerCase = (address: string | null) => address?.toLowerCase() ?? null;

/** Every muse has a name. A missing name means that the profile was erased. */
const isShown = ({ name }: KnownMuse) => name !== null;

function receiverOf(muse: KnownMuse, areAddressesShown: boolean): Receiver {
  const address = inLowerCase(payoutWalletOf(muse));
  return address === null && !(areAddressesShown && isShown(muse)) ? undefined : address;
}

const hasSamePayout = (one: KnownMuse, other: KnownMuse) =>
  payoutWalletOf(one) === payoutWalletOf(other) &&
  one.wallet === other.wallet &&
  one.linkedTo === other.linkedTo &&
  isShown(one) === isShown(other);

/** Call it with the state before the payment. Returns null if the log does not name the receiver. */
export function receiversOf({ data, at }: PaymentAcceptedEvent, facts: AuditState): readonly Receiver[] | null {
  const { endpoint, fields, hire: hireId, pay_to } = data;
  const payee = facts.sales.get(endpoint)?.payee ?? 'service';
  if (payee === 'service')
    return facts
      .service()
      .feeWallets.filter(({ rail }) => rail === data.rail)
      .map(({ wallet }) => wallet.toLowerCase());
  if (payee === 'worker') {
    const hire = hireId === undefined ? null : facts.hire(hireId);
    // The reader holds the key of payout addresses if it holds the key of `pay_to`.
    return hire === null || hire.status === 'unknown'
      ? null
      : facts.payees.wageReceivers(hire.worker, at, pay_to !== null);
  }
  // The wage wallet of an applicant, as of a worker.
  if (payee === 'applicant')
    return fields?.['to'] === undefined ? null : facts.payees.wageReceivers(fields['to'], at, pay_to !== null);
  const muse = fields?.[payee.field];
  return muse === undefined ? null : facts.payees.walletsOf(muse, at);
}

export function includesReceiver(receivers: readonly Receiver[] | null, address: string): boolean | null {
  if (receivers === null) return null;
  if (receivers.includes(address.toLowerCase())) return true;
  return receivers.includes(undefined) ? null : false;
}
