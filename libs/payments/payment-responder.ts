import type { Payment } from '#libs/domain/payment.js';
import type { CommandResult } from '#libs/kernel/decide.js';
import { Refusal, Unavailable } from '#libs/kernel/refusal.js';
import { type AppliedPayment, orUnknown, paidAnswer, settlementPending } from './payment-answers.js';
import { isPaymentOn, type Chain, type Rail } from './chain.port.js';
import type { PaymentDriver } from './settlement-executor.js';
import type { SettlementState } from './settlement-executor.js';
import type { Ledger, PaymentStream } from './ledger.js';
import type { OfferSettings } from './offers.js';
import type { Effect } from './purchase.js';
import { type JwsSigner, signReceipt } from './signed-receipts.js';

export interface EndedPayment {
  readonly payment: Extract<Payment, { status: 'refused' | 'expired' | 'lost' }>;
  readonly hasJustEnded: boolean;
}

interface PaymentResponderDependencies {
  readonly chains: readonly Chain[];
  readonly effects: readonly Effect[];
  readonly offers: OfferSettings;
  readonly signer: JwsSigner;
}

export class PaymentResponder {
  constructor(
    private readonly dependencies: PaymentResponderDependencies,
    private readonly ledger: Ledger,
    private readonly driver: PaymentDriver,
    private readonly waitMs: number,
  ) {}

  railOf(payment: string): Rail {
    const rail = this.findRail(payment);
    if (!rail) throw new Error(`No rail is configured for the payment ${payment}.`);
    return rail;
  }

  findRail(payment: string): Rail | undefined {
    return this.dependencies.chains.find(({ rail }) => isPaymentOn(rail, payment))?.rail;
  }

  /**
   * Drives a payment while the request waits. After acceptance an outage is always pending or unknown, never a refusal.
   * Errors: 409 `settlement_pending`, `settlement_unknown`.
   */
  async settle(payment: string, start?: Partial<SettlementState>): Promise<CommandResult | EndedPayment> {
    const rail = this.railOf(payment);
    return orUnknown(rail, async () => {
      const { payment: stream } = await this.driver.drive(payment, this.waitMs, start);
      return this.toOutcome(rail, stream);
    });
  }

  private async toOutcome(rail: Rail, stream: PaymentStream): Promise<CommandResult | EndedPayment> {
    const { state } = stream;
    switch (state.status) {
      case 'applied':
        return this.answerPaid(rail, stream, state);
      case 'lost':
        if (state.lost.undone) return { payment: state, hasJustEnded: true };
        return this.toOutcome(rail, { ...stream, state: { ...state, status: 'applied' } });
      case 'refused':
      case 'expired':
        return { payment: state, hasJustEnded: true };
      case 'accepted':
      case 'submitted':
      case 'settled':
        throw settlementPending(rail, state);
      case 'unknown':
        throw new Error(`${stream.stream} holds no payment.`);
      default:
        return state satisfies never;
    }
  }

  private async answerPaid(rail: Rail, stream: PaymentStream, payment: AppliedPayment): Promise<CommandResult> {
    const { signer, offers } = this.dependencies;
    const [answer, receipt] = await Promise.all([
      this.endpointAnswer(rail, stream, payment),
      signReceipt(stream, payment, { signer, baseUrl: offers.baseUrl, rail }),
    ]);
    return paidAnswer(rail, payment, answer, receipt);
  }

  /** If the endpoint cannot answer now, the caller must repeat the request and not pay again. */
  private async endpointAnswer(rail: Rail, stream: PaymentStream, payment: AppliedPayment): Promise<CommandResult> {
    const position = stream.events.at(-1)!.position;
    const effect = this.dependencies.effects.find(({ endpoint }) => endpoint === payment.accepted.data.endpoint);
    if (payment.outcome === 'void' || !effect) return { body: {}, position };
    try {
      const response = await effect.answer(payment, this.ledger.effectContext(stream));
      return { ...response, position: response.position > position ? response.position : position };
    } catch (error) {
      throw error instanceof Unavailable || error instanceof Refusal ? settlementPending(rail, payment) : error;
    }
  }
}
