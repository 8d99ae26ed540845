import { defineQuery, w } from '#libs/endpoints/declare.js';
import { Routes } from '#libs/http/routes.js';
import { FEE_PERCENT } from '#libs/kernel/money.js';
import { FaucetAccess } from '#libs/payments/devchain/faucet.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';

const Rail = w.object({
  rail: w.rail,
  network: w.network,
  short: w.chainName,
  token: w.token,
  asset: w.wallet,
  decimals: w.integer(6, 'Decimal places of the token'),
  pay_to: w.wallet,
  explorer: w.text('https://basescan.org', 'Address of an explorer of the chain'),
  play_money: w.rarelyPresent(w.literal(true, 'A development chain, where no money is real')),
});

const Dev = w.object(
  { rpc: w.mapOf(w.text('http://127.0.0.1:8545'), { base: 'http://127.0.0.1:8545' }, 'Addresses of the chain nodes') },
  { description: 'Only on a development chain' },
);

export const x402 = defineQuery('x402', {
  path: '/api/x402',
  uses: { settings: PaymentSettings, access: FaucetAccess, routes: Routes },
  answer: w.object({
    rails: w.list(Rail, 'Tokens and chains that payments can use'),
    prices: w.parts('Prices of paid operations', { endpoint: w.text('verify', 'Name of the operation'), usd: w.usd }),
    fee_percent: w.integer(Number(FEE_PERCENT), 'Percentage of a job’s budget'),
    dev: w.rarelyPresent(Dev),
  }),
  doc: {
    tag: 'Payments',
    tool: { name: 'prices', title: 'Get prices and payment rails', effect: 'serviceRead' },
    summary: 'Get prices and payment rails',
  },
  find(_fields, { settings, access: { faucet }, routes }) {
    const rails = settings.rails.map(({ name, network, short, token, asset, decimals, explorer }) => {
      const view = { rail: name, network, short, token, asset, decimals, pay_to: settings.serviceWallet, explorer };
      return { ...view, ...(settings.playMoney && { play_money: true as const }) };
    });
    return {
      rails,
      prices: routes.paid.flatMap(({ endpoint, paid: { usd } }) => (usd ? [{ endpoint, usd }] : [])),
      fee_percent: Number(FEE_PERCENT),
      ...(faucet && { dev: { rpc: faucet.rpc } }),
    };
  },
});
