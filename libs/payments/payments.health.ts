import { LRUCache } from 'lru-cache';
import type { RailName } from '#libs/domain/event-fields.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { orNullAfter } from './or-null-after.js';
import { accountsOn, firstChainOfEachRail } from './account-selection.js';
import type { Chain } from './chain.port.js';
import { isDomainSeparator } from './eip3009.js';
import { isEnoughGas } from './gas.js';
import type { Payments } from './payments.js';
import { RAILS } from './rails.js';
import { readReconciliation, unexplained } from './reconciliation/reconciliation-state.js';

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

export type ReconciliationHealth = {
  /** Differences between log and chains that the operator has not acknowledged. */
  readonly differences: number;
  /** Time of the last comparison, unix ms; null before the first one. */
  readonly reconciled_at: number | null;
};

export type OpenHealth = {
  readonly open: number;
  readonly oldest_ms: number | null;
  readonly not_applied: number;
  readonly unclear: number;
  /** Accounts with open escrows whose key is missing, lower case. */
  readonly accounts_without_key: readonly string[];
};

export class PaymentsHealth {
  /** Concurrent callers share one check, and a slow check still fills the cache. */
  private readonly cache = new LRUCache<Chain, RailHealth>({
    max: RAILS.length,
    ttl: CACHE_TTL_MS,
    fetchMethod: chain => this.checkRail(chain),
  });

  constructor(
    private readonly chains: readonly Chain[],
    private readonly payments: Pick<Payments, 'listOpen' | 'countUnclear' | 'listOpenEscrows'>,
    private readonly clock: Clock,
    private readonly vault: Pick<Vault, 'get'>,
  ) {}

  async reconciliation(): Promise<ReconciliationHealth> {
    const state = await readReconciliation(this.vault);
    return { differences: unexplained(state).length, reconciled_at: state.at === 0 ? null : state.at };
  }

  async open(): Promise<OpenHealth> {
    const [open, accounts_without_key] = await Promise.all([this.payments.listOpen(), this.findAccountsWithoutKey()]);
    const [oldest] = open;
    const now = this.clock.now();
    const overdue = open.filter(({ settledAt }) => settledAt !== null && now - settledAt > EFFECT_DELAY_MS_MAX);
    const oldest_ms = oldest ? now - oldest.at : null;
    const unclear = this.payments.countUnclear();
    return { open: open.length, oldest_ms, not_applied: overdue.length, unclear, accounts_without_key };
  }

  /** Only the account that authorized an escrow can release or return its money. */
  async findAccountsWithoutKey(): Promise<string[]> {
    const held = new Set(this.chains.map(({ relayer }) => relayer.toLowerCase()));
    const accounts = (await this.payments.listOpenEscrows()).flatMap(({ operator }) => operator ?? []);
    return [...new Set(accounts)].filter(account => !held.has(account)).sort();
  }

  rails(): Promise<RailHealth[]> {
    const cached = async (chain: Chain) =>
      (await orNullAfter(RESPONSE_TIMEOUT_MS, this.cache.fetch(chain))) ?? unreachableRail(chain.rail.name);
    return Promise.all(firstChainOfEachRail(this.chains).map(cached));
  }

  unreachableRails(): RailHealth[] {
    return firstChainOfEachRail(this.chains).map(({ rail }) => unreachableRail(rail.name));
  }

  checkRails(): Promise<RailHealth[]> {
    return Promise.all(firstChainOfEachRail(this.chains).map(chain => this.checkRail(chain)));
  }

  private async checkRail(chain: Chain): Promise<RailHealth> {
    const { rail } = chain;
    const accounts = accountsOn(this.chains, rail);
    try {
      const [separator, transactionsLeft, addresses_agree] = await Promise.all([
        chain.domainSeparator(),
        Promise.all(accounts.map(account => account.transactionsLeft())),
        orNullAfter(COMPARISON_TIMEOUT_MS, chain.addressesAgree()),
      ]);
      return {
        rail: rail.name,
        reachable: true,
        domain_separator: isDomainSeparator(rail, separator) ? 'ok' : 'wrong',
        addresses_agree,
        transactions_left: Math.min(...transactionsLeft),
      };
    } catch {
      return unreachableRail(rail.name);
    }
  }
}

/** Whether the token's signing domain (EIP-712) differs, so that it accepts no payment. */
export const hasWrongToken = ({ domain_separator }: RailHealth) => domain_separator === 'wrong';

export const canSettle = (rail: RailHealth) =>
  rail.addresses_agree !== false &&
  !hasWrongToken(rail) &&
  rail.transactions_left !== null &&
  isEnoughGas(rail.transactions_left);

const unreachableRail = (rail: RailName): RailHealth => ({
  rail,
  reachable: false,
  domain_separator: null,
  addresses_agree: null,
  transactions_left: null,
});
