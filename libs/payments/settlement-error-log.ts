import type { Refusal } from '#libs/kernel/refusal.js';
import type { AuthorizationStatus } from './payment-machine.js';

const MISSING_USE =
  'The chain shows the authorization as used, but no RPC address shows the transaction: add one that keeps its logs.';

class MissingUseError extends Error {
  override readonly name = 'MissingUseError';
}

/** Reports each payment that needs an operator once per process. */
export class SettlementErrorLog {
  private readonly unclear = new Set<string>();
  private readonly notApplied = new Set<string>();

  constructor(private readonly report: (error: unknown, payment: string) => void) {}

  get unclearCount(): number {
    return this.unclear.size;
  }

  recordStatus(payment: string, status: AuthorizationStatus | null): void {
    if (status === null) return;
    if (status.status !== 'unclear') this.unclear.delete(payment);
    else this.reportOnce(this.unclear, payment, new MissingUseError(MISSING_USE));
  }

  recordFailure(payment: string, error: unknown): void {
    const isLasting = error instanceof PaymentEffectError || error instanceof MissingAccount;
    if (isLasting) this.reportOnce(this.notApplied, payment, error);
    else this.report(error, payment);
  }

  forgetPayment(payment: string): void {
    this.unclear.delete(payment);
    this.notApplied.delete(payment);
  }

  private reportOnce(reported: Set<string>, payment: string, error: Error): void {
    if (!reported.has(payment)) this.report(error, payment);
    reported.add(payment);
  }
}

/** The account that authorized an escrow has no key in this process, so the escrow cannot end. */
export class MissingAccount extends Error {
  override readonly name = 'MissingAccount';
}

/** The effect refuses a payment that has settled: its rules have become stricter since acceptance. */
export class PaymentEffectError extends Error {
  override readonly name = 'PaymentEffectError';

  constructor(cause: Refusal) {
    super(`The effect of a settled payment was refused: ${cause.code}: ${cause.message}`, { cause });
  }
}
