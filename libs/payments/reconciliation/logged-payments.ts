import { Escrow } from '#libs/domain/escrow.js';
import {
  isSettled,
  type KnownPayment,
  Payment,
  PaymentSettled,
  type SettledPaymentState,
} from '#libs/domain/payment.js';
import { FeeWalletSet } from '#libs/domain/service.js';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { openWithoutKeys } from '#libs/event-log/upcast.js';
import type { Event, Position } from '#libs/kernel/event.js';
import type { EventOf, EventTypeRegistry } from '#libs/kernel/event-type.js';

export interface LoggedPayment {
  readonly id: string;
  readonly state: KnownPayment;
  /** Position of its last event. */
  readonly position: Position;
  /** When the log first showed its transfer, unix ms. */
  readonly settledAt: number | null;
  /** Steps after the funding of an escrow. */
  readonly escrow: Escrow;
  /** Time of the newest of these steps, unix ms; 0 without one. */
  readonly escrowAt: number;
}

export interface PaymentsOfLog {
  readonly payments: readonly LoggedPayment[];
  /** Wallets that ever got fees, in lower case, by rail. */
  readonly feeWallets: ReadonlyMap<string, ReadonlySet<string>>;
  readonly head: Position;
}

const isFeeWalletSet = (event: Event): event is EventOf<typeof FeeWalletSet> => event.type === FeeWalletSet.type;

/** Folds all payments. Nothing that it needs is sealed. */
export async function readPaymentsOfLog(
  log: Pick<EventLog, 'readAll' | 'head'>,
  types: EventTypeRegistry,
): Promise<PaymentsOfLog> {
  const payments = new Map<string, LoggedPayment>();
  const feeWallets = new Map<string, Set<string>>();
  const head = await log.head();
  const wanted = [...[...Payment.events, ...Escrow.events].map(({ type }) => type), FeeWalletSet.type];
  for await (const stored of iterateEvents(log, { types: wanted })) {
    const event = openWithoutKeys(stored, types);
    if (!event) continue;
    if (isFeeWalletSet(event)) addTo(feeWallets, event.data.rail, event.data.wallet.toLowerCase());
    else if (event.stream.startsWith(`${Escrow.category}-`)) applyToEscrow(payments, event);
    else apply(payments, event);
  }
  return { payments: [...payments.values()], feeWallets, head };
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set<string>()).add(value));
}

function apply(payments: Map<string, LoggedPayment>, event: Event): void {
  const { payment: id } = event.data as { readonly payment: string };
  const earlier = payments.get(id);
  const state = Payment.evolve(earlier?.state ?? Payment.initial, event);
  const settledAt = earlier?.settledAt ?? (event.type === PaymentSettled.type ? event.at : null);
  const { escrow = Escrow.initial, escrowAt = 0 } = earlier ?? {};
  if (state.status !== 'unknown')
    payments.set(id, { id, state, position: event.position, settledAt, escrow, escrowAt });
}

function applyToEscrow(payments: Map<string, LoggedPayment>, event: Event): void {
  const { payment: id } = event.data as { readonly payment: string };
  const payment = payments.get(id);
  if (payment) payments.set(id, { ...payment, escrow: Escrow.evolve(payment.escrow, event), escrowAt: event.at });
}

export type SettledPayment = LoggedPayment & { readonly state: SettledPaymentState };

/** Whether the log says that the chain has its transfer. */
export const isPaid = (payment: LoggedPayment): payment is SettledPayment => isSettled(payment.state);

/** Whether a contract should hold its money: it has an escrow without an end in the log. */
export const holdsEscrow = (payment: LoggedPayment): payment is SettledPayment =>
  isPaid(payment) && payment.state.accepted.data.escrow !== undefined && payment.escrow.status === 'open';
