import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { getAddress } from 'ethers';
import { DevChains } from '#libs/http/infrastructure.js';
import { Read } from '#libs/http/routes.js';
import { usdOfUnits } from '#libs/kernel/money.js';
import { fieldRule, Refusal } from '#libs/kernel/refusal.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';

const FEE_PERCENT = 5;

@Controller('api')
export class PaymentsController {
  constructor(
    private readonly settings: PaymentSettings,
    private readonly dev: DevChains,
  ) {}

  /** What is paid for, on which rails. */
  @Read('x402')
  x402() {
    const rails = this.settings.rails.map(({ name, network, short, token, asset, decimals, explorer }) => {
      return { rail: name, network, short, token, asset, decimals, pay_to: this.settings.serviceWallet, explorer };
    });
    const dev = this.dev.chain ? { dev: { rpc: this.dev.chain.rpc } } : {};
    return { rails, prices: [], fee_percent: FEE_PERCENT, ...dev };
  }

  /** 1,000 of each token for a wallet: on a development chain only. */
  @Post('faucet')
  @HttpCode(200)
  async faucet(@Body() { wallet }: { wallet?: unknown }) {
    if (!this.dev.chain) throw new Refusal('unknown_endpoint', 'There is no faucet here: the chain is a real one.');
    fieldRule(
      typeof wallet === 'string' && /^0x[0-9a-fA-F]{40}$/.test(wallet),
      'wallet',
      'wallet must be 0x and 40 hex digits.',
    );
    const balances = await this.dev.chain.faucet(getAddress(wallet.toLowerCase()));
    const usd = Object.entries(balances).map(([rail, units]) => [rail, usdOfUnits(units)]);
    return { ok: true, wallet, balances: Object.fromEntries(usd) as { [rail: string]: string } };
  }
}
