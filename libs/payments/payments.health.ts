import type { RailName } from '#libs/streams/fields.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { oneOfEachRail } from './accounts.js';
import type { Chain } from './chain.port.js';
import { expectedDomainSeparator } from './ethers.chain.js';
import { isEnough } from './gas.js';

/** How long an answer of a chain is kept and answered again. */
const BELIEVED_MS = 5 * SECOND_MS;

/** How long after its settlement the effect of a payment may take. */
const APPLIED_WITHIN_MS = MINUTE_MS;

export type RailHealth = {
  readonly rail: RailName;
  readonly reachable: boolean;
  /** Null while the chain has never answered. */
  readonly domain_separator: 'ok' | 'wrong' | null;
  /** Whether all RPC addresses show the same chain; null where one of them does not answer. */
  readonly addresses_agree: boolean | null;
  /**
   * How many transactions the relayer can pay for, of several the one that can pay for the fewest; null where the chain
   * does not answer.
   */
  readonly transactions_left: number | null;
};

interface Open {
  readonly at: number;
  readonly settledAt: number | null;
}

export type OpenHealth = {
  readonly open: number;
  readonly oldest_ms: number | null;
  /** Payments that have settled and whose effect fails: they stay open, and what was paid for is owed. */
  readonly not_applied: number;
  /** Payments that the chain shows as used while no node shows where. */
  readonly unclear: number;
};

/** What health says of payments. */
export class PaymentsHealth {
  private known: { readonly at: number; readonly rails: RailHealth[] } | null = null;
  private asking: Promise<RailHealth[]> | null = null;

  constructor(
    private readonly chains: readonly Chain[],
    /** Payments that have not ended, the oldest first. */
    private readonly openPayments: () => Promise<readonly Open[]>,
    private readonly clock: Clock,
    /** How many of them the chain shows as used while no node shows where. */
    private readonly unclear: () => number = () => 0,
  ) {}

  /** How many payments have not ended, the age of the oldest, and how many cannot go on without somebody's help. */
  async open(): Promise<OpenHealth> {
    const open = await this.openPayments();
    const [oldest] = open;
    const now = this.clock.now();
    const owed = open.filter(({ settledAt }) => settledAt !== null && now - settledAt > APPLIED_WITHIN_MS);
    const oldest_ms = oldest ? now - oldest.at : null;
    return { open: open.length, oldest_ms, not_applied: owed.length, unclear: this.unclear() };
  }

  async rails(): Promise<RailHealth[]> {
    const now = this.clock.now();
    if (this.known && now - this.known.at < BELIEVED_MS) return this.known.rails;
    // Nodes may take long: whoever asks meanwhile is answered with them.
    this.asking ??= this.ask().finally(() => (this.asking = null));
    return this.asking;
  }

  /** Of every rail that its chain does not answer. */
  unanswered(): RailHealth[] {
    return oneOfEachRail(this.chains).map(({ rail }) => silent(rail.name));
  }

  private async ask(): Promise<RailHealth[]> {
    const rails = await this.railsNow();
    this.known = { at: this.clock.now(), rails };
    return rails;
  }

  /** As the chains answer now. */
  railsNow(): Promise<RailHealth[]> {
    return Promise.all(oneOfEachRail(this.chains).map(chain => this.railHealth(chain)));
  }

  private railHealth(chain: Chain): Promise<RailHealth> {
    return railHealth(
      chain,
      this.chains.filter(({ rail }) => rail.name === chain.rail.name),
    );
  }
}

/** Whether the rail's token signs for another domain than its payments (EIP-712): it takes none of them. */
export const isForeign = ({ domain_separator }: RailHealth) => domain_separator === 'wrong';

/** Whether the rail is well: its chain answers, as one, its token is the right one, and the relayer can pay for what is sent there. */
export const canSettle = (rail: RailHealth) =>
  rail.addresses_agree !== false &&
  !isForeign(rail) &&
  rail.transactions_left !== null &&
  isEnough(rail.transactions_left);

async function railHealth(chain: Chain, accounts: readonly Chain[]): Promise<RailHealth> {
  try {
    const [separator, left, addresses_agree] = await Promise.all([
      chain.domainSeparator(),
      Promise.all(accounts.map(account => account.transactionsLeft())),
      chain.addressesAgree().catch(() => null),
    ]);
    const same = separator.toLowerCase() === expectedDomainSeparator(chain.rail).toLowerCase();
    return {
      rail: chain.rail.name,
      reachable: true,
      domain_separator: same ? 'ok' : 'wrong',
      addresses_agree,
      transactions_left: Math.min(...left),
    };
  } catch {
    return silent(chain.rail.name);
  }
}

const silent = (rail: RailName): RailHealth => ({
  rail,
  reachable: false,
  domain_separator: null,
  addresses_agree: null,
  transactions_left: null,
});
