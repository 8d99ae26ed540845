import { unitsOfUsd } from '#libs/kernel/money.js';
import type { AnyEventType } from '#libs/domain/define.js';
import type { AnySale, Payee } from './sale.js';
import type { AnyVerb } from './verb.js';

/** The rules that an auditor holds payments for an endpoint to, as its sale declares them. */
export interface SaleTerms {
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
export type SaleTable = ReadonlyMap<string, SaleTerms>;

const namesPayment = ({ schema }: AnyEventType) => Object.hasOwn(schema.properties, 'payment');

/** Throws where no effect names its payment: an auditor could not tell whether the payer got what it paid for. */
export function saleTerms(endpoint: string, sale: AnySale): SaleTerms {
  const effects = sale.deed.events.filter(namesPayment);
  if (effects.length === 0) throw new Error(`${endpoint}: no event of its deed has a field "payment".`);
  return {
    payee: sale.payee,
    payer: sale.payer ?? null,
    price: sale.usd === undefined ? null : unitsOfUsd(sale.usd)!,
    isUndone: sale.undo !== undefined,
    effects: effects.filter(({ privateType }) => !privateType).map(({ type }) => type),
  };
}

/** The terms of every paid verb. */
export const saleTable = (verbs: readonly AnyVerb[]): SaleTable =>
  new Map(verbs.flatMap(({ endpoint, sale }) => (sale ? [[endpoint, saleTerms(endpoint, sale)]] : [])));
