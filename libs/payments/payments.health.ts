import type { RailName } from '#libs/domain/event-fields.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { orNullAfter } from './or-null-after.js';
import { firstChainOfEachRail } from './account-selection.js';
import type { Chain } from './chain.port.js';
import { expectedDomainSeparator } from './ethers.chain.js';
import { isEnoughGas } from './gas.js';

const CACHE_TTL_MS = 5 * SECOND_MS;

/** Below health's own timeout, so that one hanging chain does not hide the others. */
const RESPONSE_TIMEOUT_MS = 1.5 * SECOND_MS;
const COMPARISON_TIMEOUT_MS = SECOND_MS;

const EFFECT_DELAY_MS_MAX = MINUTE_MS;

export type RailHealth = {
  readonly rail: RailName;
  readonly reachable: boolean;
  readonly domain_separator: 'ok' | 'wrong' | null;
  readonly addresses_agree: boolean | null;
  /** Number that the poorest relayer account can pay for; null if the chain does not answer. */
  readonly transactions_left: number | null;
};

interface OpenPaymentAge {
  readonly at: number;
  readonly settledAt: number | null;
}

export type OpenHealth = {
  readonly open: number;
  readonly oldest_ms: number | null;
  readonly not_applied: number;
  readonly unclear: number;
};

export class PaymentsHealth {
  private readonly cache = new Map<RailName, { readonly at: number; readonly health: RailHealth }>();
  private readonly pendingChecks = new Map<RailName, Promise<RailHealth>>();

  constructor(
    private readonly chains: readonly Chain[],
    private readonly openPayments: () => Promise<readonly OpenPaymentAge[]>,
    private readonly clock: Clock,
    private readonly unclear: () => number = () => 0,
  ) {}

  async open(): Promise<OpenHealth> {
    const open = await this.openPayments();
    const [oldest] = open;
    const now = this.clock.now();
    const overdue = open.filter(({ settledAt }) => settledAt !== null && now - settledAt > EFFECT_DELAY_MS_MAX);
    const oldest_ms = oldest ? now - oldest.at : null;
    return { open: open.length, oldest_ms, not_applied: overdue.length, unclear: this.unclear() };
  }

  rails(): Promise<RailHealth[]> {
    return Promise.all(firstChainOfEachRail(this.chains).map(chain => this.cachedHealth(chain)));
  }

  unreachableRails(): RailHealth[] {
    return firstChainOfEachRail(this.chains).map(({ rail }) => unreachableRail(rail.name));
  }

  private async cachedHealth(chain: Chain): Promise<RailHealth> {
    const { name } = chain.rail;
    const cached = this.cache.get(name);
    // Compares absolute distances, because the clock may have jumped ahead and back.
    if (cached && Math.abs(this.clock.now() - cached.at) < CACHE_TTL_MS) return cached.health;
    // Concurrent callers share one check, and a slow check still fills the cache.
    const check = this.pendingChecks.get(name) ?? this.refresh(chain);
    return (await orNullAfter(RESPONSE_TIMEOUT_MS, check)) ?? unreachableRail(name);
  }

  private refresh(chain: Chain): Promise<RailHealth> {
    const { name } = chain.rail;
    const check = this.railHealth(chain)
      .then(health => {
        this.cache.set(name, { at: this.clock.now(), health });
        return health;
      })
      .finally(() => this.pendingChecks.delete(name));
    this.pendingChecks.set(name, check);
    return check;
  }

  checkRails(): Promise<RailHealth[]> {
    return Promise.all(firstChainOfEachRail(this.chains).map(chain => this.railHealth(chain)));
  }

  private railHealth(chain: Chain): Promise<RailHealth> {
    return railHealth(
      chain,
      this.chains.filter(({ rail }) => rail.name === chain.rail.name),
    );
  }
}

/** Whether the token's signing domain (EIP-712) differs, so that it accepts no payment. */
export const hasWrongToken = ({ domain_separator }: RailHealth) => domain_separator === 'wrong';

export const canSettle = (rail: RailHealth) =>
  rail.addresses_agree !== false &&
  !hasWrongToken(rail) &&
  rail.transactions_left !== null &&
  isEnoughGas(rail.transactions_left);

async function railHealth(chain: Chain, accounts: readonly Chain[]): Promise<RailHealth> {
  try {
    const [separator, transactionsLeft, addresses_agree] = await Promise.all([
      chain.domainSeparator(),
      Promise.all(accounts.map(account => account.transactionsLeft())),
      orNullAfter(COMPARISON_TIMEOUT_MS, chain.addressesAgree()),
    ]);
    const isSame = separator.toLowerCase() === expectedDomainSeparator(chain.rail).toLowerCase();
    return {
      rail: chain.rail.name,
      reachable: true,
      domain_separator: isSame ? 'ok' : 'wrong',
      addresses_agree,
      transactions_left: Math.min(...transactionsLeft),
    };
  } catch {
    return unreachableRail(chain.rail.name);
  }
}

const unreachableRail = (rail: RailName): RailHealth => ({
  rail,
  reachable: false,
  domain_separator: null,
  addresses_agree: null,
  transactions_left: null,
});
