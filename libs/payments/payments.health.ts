import type { RailName } from '#libs/streams/fields.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Chain } from './chain.port.js';
import { expectedDomainSeparator } from './ethers.chain.js';
import { isEnough } from './gas.js';

/** How long an answer of a chain is kept and answered again. */
const BELIEVED_MS = 5 * SECOND_MS;

export type RailHealth = {
  readonly rail: RailName;
  readonly reachable: boolean;
  /** Null while the chain has never answered. */
  readonly domain_separator: 'ok' | 'wrong' | null;
  /** Whether all RPC addresses show the same chain; null where one of them does not answer. */
  readonly addresses_agree: boolean | null;
  /** How many transactions the relayer can pay for; null where the chain does not answer. */
  readonly transactions_left: number | null;
};

/** What health says of payments. */
export class PaymentsHealth {
  private known: { readonly at: number; readonly rails: RailHealth[] } | null = null;

  constructor(
    private readonly chains: readonly Chain[],
    /** Payments that have not ended, the oldest first. */
    private readonly openPayments: () => Promise<readonly { readonly at: number }[]>,
    private readonly clock: Clock,
  ) {}

  /** How many payments have not ended, and the age of the oldest. */
  async open(): Promise<{ readonly open: number; readonly oldest_ms: number | null }> {
    const open = await this.openPayments();
    const [oldest] = open;
    return { open: open.length, oldest_ms: oldest ? this.clock.now() - oldest.at : null };
  }

  async rails(): Promise<RailHealth[]> {
    const now = this.clock.now();
    if (this.known && now - this.known.at < BELIEVED_MS) return this.known.rails;
    const rails = await Promise.all(this.chains.map(railHealth));
    this.known = { at: now, rails };
    return rails;
  }
}

/** Whether the rail is well: its chain answers, as one, and the relayer can pay for what is sent there. */
export const canSettle = ({ addresses_agree: agree, transactions_left: left }: RailHealth) =>
  agree !== false && left !== null && isEnough(left);

async function railHealth(chain: Chain): Promise<RailHealth> {
  try {
    const [separator, transactions_left, addresses_agree] = await Promise.all([
      chain.domainSeparator(),
      chain.transactionsLeft(),
      chain.addressesAgree().catch(() => null),
    ]);
    const same = separator.toLowerCase() === expectedDomainSeparator(chain.rail).toLowerCase();
    return {
      rail: chain.rail.name,
      reachable: true,
      domain_separator: same ? 'ok' : 'wrong',
      addresses_agree,
      transactions_left,
    };
  } catch {
    return {
      rail: chain.rail.name,
      reachable: false,
      domain_separator: null,
      addresses_agree: null,
      transactions_left: null,
    };
  }
}
