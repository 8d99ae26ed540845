import { parseUsdAmount } from '#libs/kernel/money.js';
import type { AnyEventType } from '#libs/domain/define.js';
import type { AnyPaidAction, Payee } from './paid-action.js';
import type { AnyCommand } from './command.js';

/** Rules by which auditors check the payments of an endpoint. */
export interface PaymentTerms {
  readonly payee: Payee;
  readonly payer: string | null;
  /** Smallest units; null if the price depends on the request. */
  readonly price: bigint | null;
  /** Whether the effect is reverted when a reorganisation removes the payment. */
  readonly isUndone: boolean;
  /** Public event types that name the payment they result from; empty if the effect is private. */
  readonly effects: readonly string[];
}

export type PaymentTermsTable = ReadonlyMap<string, PaymentTerms>;

const hasPaymentField = ({ schema }: AnyEventType) => Object.hasOwn(schema.properties, 'payment');

/** Throws if no effect names its payment: an auditor could not check that the payer got it. */
export function derivePaymentTerms(endpoint: string, sale: AnyPaidAction): PaymentTerms {
  const effects = sale.effect.events.filter(hasPaymentField);
  if (effects.length === 0) throw new Error(`${endpoint}: no event of its effect has a field "payment".`);
  return {
    payee: sale.payee,
    payer: sale.payer ?? null,
    price: sale.usd === undefined ? null : parseUsdAmount(sale.usd)!,
    isUndone: sale.undo !== undefined,
    effects: effects.filter(({ privateType }) => !privateType).map(({ type }) => type),
  };
}

export const buildPaymentTermsTable = (commands: readonly AnyCommand[]): PaymentTermsTable =>
  new Map(commands.flatMap(({ endpoint, sale }) => (sale ? [[endpoint, derivePaymentTerms(endpoint, sale)]] : [])));
