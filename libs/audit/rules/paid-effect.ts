import { isSettled } from '#libs/domain/payment.js';
import type { Event } from '#libs/kernel/event.js';
import { parseUsdAmount } from '#libs/kernel/money.js';
import { findRail } from '#libs/payments/rails.js';
import type { AuditState } from './audit-state.js';
import { failedConditions } from './rule.js';

interface PaidEffectData {
  readonly payment: string;
  readonly [name: string]: unknown;
}

/** Compares each value of the payment that an effect repeats, and the price that it implies, with the payment. */
export function checkPaidEffect(event: Event, facts: AuditState): string[] {
  if (!facts.isPaidEffect(event)) return [];
  const data = event.data as PaidEffectData;
  const state = facts.payment(data.payment);
  if (!isSettled(state)) return [`Its payment ${data.payment} was not settled before it.`];
  const { endpoint, amount, rail } = state.accepted.data;
  const terms = facts.sales.get(endpoint);
  const price = terms?.priceOfEffect?.(data as never);
  const paid = {
    amount,
    usd: amount,
    token: findRail(rail)?.token,
    rail,
    network: rail,
    tx: state.tx,
    block: state.block,
  };
  const repeated = Object.entries(paid).filter(([name]) => Object.hasOwn(data, name));
  return failedConditions(
    [terms?.effects.includes(event.type) ?? false, `Its payment was for ${endpoint}.`],
    ...repeated.map(
      ([name, value]) =>
        [
          comparable(name, data[name]) === value,
          `Its ${name} is ${String(data[name])}; its payment has ${value}.`,
        ] as const,
    ),
    [
      price === undefined || (price !== null && price.amount === BigInt(amount) && price.rail === rail),
      `Its price is ${price?.amount} on ${price?.rail}, but ${amount} on ${rail} was paid.`,
    ],
  );
}

/** The form that the payment has: US dollars as smallest units, either name of a chain as the rail. */
function comparable(name: string, value: unknown): unknown {
  if (name === 'usd') return String(parseUsdAmount(value as string));
  return name === 'network' ? findRail(value as string)?.name : value;
}
