import { Payment } from '#libs/domain/payment.js';
import type { HttpRequest } from '#libs/http/http-request.js';
import type { ParsedFields } from '#libs/http/routes.js';
import type { CommandResult, CommandContext } from '#libs/kernel/decide.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { Payments } from '#libs/payments/payments.js';
import type { PaidRequest, Purchase, SettledPaymentState } from '#libs/payments/purchase.js';
import { RAILS } from '#libs/payments/rails.js';
import { stateOf } from '../../given.js';
import { told } from './worlds.js';

export const PAYER = '0x3333333333333333333333333333333333333333';
export const SETTINGS = new PaymentSettings(RAILS, '0x1111111111111111111111111111111111111111');

export const settled = (changed: object = {}) =>
  stateOf(Payment, told('PaymentAccepted', changed), told('PaymentSettled')) as SettledPaymentState;

/** Takes no money: records purchases, or returns the answer if nothing is to pay. */
export class FakePayments {
  readonly sold: Purchase[] = [];
  readonly asked: PaidRequest[] = [];
  readonly payments = { buy: this.buy.bind(this) } as unknown as Payments;

  private async buy(request: PaidRequest, purchase: () => Promise<Purchase | CommandResult>): Promise<CommandResult> {
    this.asked.push(request);
    const outcome = await purchase();
    if ('body' in outcome) return outcome;
    this.sold.push(outcome);
    return { body: { paid: true }, position: '' };
  }
}

/** A request without locks, payment or header fields. */
export const httpRequest = (endpoint: string, context: CommandContext, parsed: ParsedFields): HttpRequest => ({
  ...parsed,
  method: 'POST',
  target: `/api/${endpoint}`,
  headers: {},
  endpoint,
  fields: parsed.sent,
  ignored: [],
  presented: null,
  requestKeys: [],
  context,
  locks: [],
});
