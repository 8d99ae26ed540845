import { parseUsdAmount } from '#libs/kernel/money.js';
import type { AnyEventType } from '#libs/domain/define.js';
import type { AnyPaidAction, Payee } from './paid-action.js';
import type { AnyCommand } from './command.js';

/** The rules that an auditor holds payments for an endpoint to, as its sale declares them. */
export interface PaymentTerms {
  readonly payee: Payee;
  readonly payer: string | null;
  /** Smallest units; null where the price follows from the request. */
  readonly price: bigint | null;
  /** Whether the money buys something that is taken back when a reorganisation removes the payment. */
  readonly isUndone: boolean;
  /** The public event types that name the payment that they are the effect of; none where the effect is private. */
  readonly effects: readonly string[];
}

/** Terms by endpoint. */
export type PaymentTermsTable = ReadonlyMap<string, PaymentTerms>;

const hasPaymentField = ({ schema }: AnyEventType) => Object.hasOwn(schema.properties, 'payment');

/** Throws where no effect names its payment: an auditor could not tell whether the payer got what it paid for. */
export function derivePaymentTerms(endpoint: string, sale: AnyPaidAction): PaymentTerms {
  const effects = sale.deed.events.filter(hasPaymentField);
  if (effects.length === 0) throw new Error(`${endpoint}: no event of its deed has a field "payment".`);
  return {
    payee: sale.payee,
    payer: sale.payer ?? null,
    price: sale.usd === undefined ? null : parseUsdAmount(sale.usd)!,
    isUndone: sale.undo !== undefined,
    effects: effects.filter(({ privateType }) => !privateType).map(({ type }) => type),
  };
}

/** The terms of every paid verb. */
export const buildPaymentTermsTable = (verbs: readonly AnyCommand[]): PaymentTermsTable =>
  new Map(verbs.flatMap(({ endpoint, sale }) => (sale ? [[endpoint, derivePaymentTerms(endpoint, sale)]] : [])));
