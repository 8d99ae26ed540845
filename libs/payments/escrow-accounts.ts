import { isUnspendableAddress } from '#libs/kernel/evm-address.js';
import { rule } from '#libs/kernel/refusal.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { accountsOn } from './account-selection.js';
import type { Chain } from './chain.port.js';
import { ESCROW, parseAddress } from './escrow-abi.js';
import { ESCROW_CONTRACTS } from './escrow-contracts.js';
import { isEnoughGas } from './gas.js';
import { paymentsUnavailable } from './payment-answers.js';
import type { OpenEscrows } from './open-escrows.js';
import type { PaymentPayload } from './payment-payload.js';
import type { EscrowOffer, Price } from './purchase.js';
import { listRetiring } from './retiring-accounts.js';
import { equalsIgnoringCase } from './scheme.js';

/** Accounts that authorize escrows. Only the account that authorized an escrow can release or return it. */
export class EscrowAccounts {
  private readonly tokenStores = new Map<string, string>();

  constructor(
    private readonly chains: readonly Chain[],
    private readonly open: Pick<OpenEscrows, 'refresh' | 'countOf'>,
    private readonly vault: Pick<Vault, 'get'> | undefined,
  ) {}

  /** Whether the account is not retiring, and has gas for the usual reserve and for the ends of its open escrows. */
  async canOpen(chain: Chain): Promise<boolean> {
    const { vault } = this;
    const retiring = vault ? listRetiring(vault) : Promise.resolve<readonly string[]>([]);
    const [left, accounts] = await Promise.all([chain.transactionsLeft(), retiring, this.open.refresh()]);
    return !accounts.includes(chain.relayer.toLowerCase()) && isEnoughGas(left - this.open.countOf(chain.relayer));
  }

  /**
   * Names the account of an escrow: the one that the payment names, if it can open one, or else another one. Returns
   * other prices unchanged. Errors: 503 `payments_unavailable`; 409 `worker_has_no_wallet` for a contract as recipient.
   */
  async assign<P extends Price>(price: P, payload: PaymentPayload | null): Promise<P> {
    const { escrow } = price;
    const rail = price.rails[0];
    if (!escrow || !rail) return price;
    const named = String(payload?.accepted?.extra?.['captureAuthorizer']);
    const accounts = accountsOn(this.chains, rail).sort(
      (one, other) => Number(isNamed(other, named)) - Number(isNamed(one, named)),
    );
    await this.refuseContracts(price, escrow, accounts);
    for (const account of accounts)
      if (await this.canOpen(account)) return { ...price, escrow: { ...escrow, operator: account.relayer } };
    throw paymentsUnavailable();
  }

  /** Money for a contract of the escrow would be lost. */
  private async refuseContracts({ payTo }: Price, { version }: EscrowOffer, accounts: readonly Chain[]): Promise<void> {
    const { escrow, collector } = ESCROW_CONTRACTS[version];
    const stores = await Promise.all(accounts.map(account => this.tokenStore(account, escrow)));
    const isContract = [escrow, collector, ...stores].some(address => equalsIgnoringCase(address, payTo));
    rule(
      !isContract && !isUnspendableAddress(payTo),
      'worker_has_no_wallet',
      'The address of the worker is a contract that cannot spend its wage.',
    );
  }

  private async tokenStore(chain: Chain, escrow: string): Promise<string> {
    const key = `${escrow}/${chain.relayer}`;
    const known = this.tokenStores.get(key);
    if (known !== undefined) return known;
    const data = ESCROW.encodeFunctionData('getTokenStore', [chain.relayer]);
    const { results } = await chain.view([{ to: escrow, data }]);
    const store = parseAddress(results[0]);
    this.tokenStores.set(key, store);
    return store;
  }
}

const isNamed = ({ relayer }: Chain, named: string) => equalsIgnoringCase(relayer, named);
