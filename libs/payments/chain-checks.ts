import type { Clock } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { accountsOn, selectAccount } from './account-selection.js';
import type { Chain, Rail } from './chain.port.js';
import type { EscrowAccounts } from './escrow-accounts.js';
import { hasEnoughGas } from './gas.js';
import { checkOnChain } from './payload-checks.js';
import { paymentsUnavailable } from './payment-answers.js';
import { CircuitBreaker } from './payment-limits.js';
import type { SignedPayment } from './scheme.js';

export type ChainCheck = Awaited<ReturnType<typeof checkOnChain>>;

interface ChainChecksDependencies {
  readonly clock: Clock;
  readonly chains: readonly Chain[];
  readonly escrowAccounts: EscrowAccounts;
}

/** Checks payments by the account that would send them. Stops asking a chain that does not answer. */
export class ChainChecks {
  private readonly breakers = new Map<string, CircuitBreaker>();

  constructor(private readonly dependencies: ChainChecksDependencies) {}

  /** Errors: 503 `payments_unavailable`. */
  async check(rail: Rail, paymentId: string, signed: SignedPayment): Promise<ChainCheck> {
    const { chains, escrowAccounts } = this.dependencies;
    const accounts = accountsOn(chains, rail);
    const chain = selectAccount(accounts, each => each, paymentId, { only: signed.escrow?.info.operator });
    const breaker = this.breakerOf(rail);
    if (!chain || !breaker.canRequest()) throw paymentsUnavailable();
    try {
      const [result, canBeSent] = await Promise.all([
        checkOnChain(chain, signed),
        signed.escrow ? escrowAccounts.canOpen(chain) : hasEnoughGas(chain),
      ]);
      breaker.recordSuccess();
      if (!canBeSent) throw paymentsUnavailable();
      return result;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      breaker.recordFailure();
      throw paymentsUnavailable();
    }
  }

  private breakerOf({ name }: Rail): CircuitBreaker {
    const breaker = this.breakers.get(name) ?? new CircuitBreaker(this.dependencies.clock);
    this.breakers.set(name, breaker);
    return breaker;
  }
}
