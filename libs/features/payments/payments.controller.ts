import { Body, Controller, Inject } from '@nestjs/common';
import { getAddress } from 'ethers';
import { paidRoutes } from '#libs/http/bazaar.js';
import { Other, Read } from '#libs/http/routes.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { usdOfUnits } from '#libs/kernel/money.js';
import { fieldRule, Refusal, Unavailable } from '#libs/kernel/refusal.js';
import { Faucet } from '#libs/payments/devchain/faucet.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { DISCOVERY, FAUCET, X402 } from './payments.answers.js';

const FEE_PERCENT = 5;

@Controller()
export class PaymentsController {
  constructor(
    private readonly settings: PaymentSettings,
    @Inject(Faucet) private readonly dev: Faucet | null,
    private readonly issuer: Issuer,
  ) {}

  /** What is paid for, on which rails. */
  @Read('api/x402', { describe: X402 })
  x402() {
    const rails = this.settings.rails.map(({ name, network, short, token, asset, decimals, explorer }) => {
      return { rail: name, network, short, token, asset, decimals, pay_to: this.settings.serviceWallet, explorer };
    });
    const dev = this.dev ? { dev: { rpc: this.dev.rpc } } : {};
    return {
      rails,
      prices: paidRoutes().flatMap(({ endpoint, paid }) => (paid?.usd ? [{ endpoint, usd: paid.usd }] : [])),
      fee_percent: FEE_PERCENT,
      ...dev,
    };
  }

  /** What directories of paid endpoints look for. */
  @Read('.well-known/x402', { bare: true, describe: DISCOVERY })
  discovery() {
    return { version: 1, resources: paidRoutes().map(({ path }) => `${this.issuer.name}${path}`) };
  }

  /** 1,000 of each token for a wallet: on a development chain only. */
  @Other('POST', 'api/faucet', FAUCET)
  async faucet(@Body() { wallet, ...others }: { readonly [name: string]: unknown }) {
    if (!this.dev) throw new Refusal('unknown_endpoint', 'There is no faucet here: the chain is a real one.');
    fieldRule(
      typeof wallet === 'string' && /^0x[0-9a-fA-F]{40}$/.test(wallet),
      'wallet',
      'wallet must be 0x and 40 hex digits.',
    );
    const balances = await this.fill(this.dev, getAddress(wallet.toLowerCase()));
    const usd = Object.entries(balances).map(([rail, units]) => [rail, usdOfUnits(units)]);
    const ignored = Object.keys(others);
    return {
      ok: true,
      wallet,
      balances: Object.fromEntries(usd) as { [rail: string]: string },
      ...(ignored.length > 0 && { ignored }),
    };
  }

  /** A node of the development chain that is gone is an outage like any other. */
  private async fill(dev: Faucet, wallet: string) {
    try {
      return await dev.faucet(wallet);
    } catch (cause) {
      throw new Unavailable('The development chain', { cause });
    }
  }
}
