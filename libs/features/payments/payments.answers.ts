import type { OtherDescription, ReadDescription } from '#libs/http/description.js';
import * as w from '#libs/views/shapes/words.js';

const tag = 'Payments';

export const X402: ReadDescription = {
  tag,
  summary: 'What is paid for, on which rails',
  answer: w.object({
    rails: w.list(
      w.object({
        rail: w.railName,
        network: w.network,
        short: w.chainName,
        token: w.token,
        asset: w.wallet,
        decimals: w.integer(6),
        pay_to: w.wallet,
        explorer: w.text('https://basescan.org'),
      }),
    ),
    prices: w.list(w.object({ endpoint: w.text('verify'), usd: w.usd })),
    fee_percent: w.integer(5, 'Of the budget of a job'),
    dev: w.rare(
      w.object(
        { rpc: w.mapOf(w.text('http://127.0.0.1:8545'), { base: 'http://127.0.0.1:8545' }) },
        { description: 'On a development chain alone' },
      ),
    ),
  }),
};

export const DISCOVERY: ReadDescription = {
  tag,
  summary: 'What directories of paid endpoints look for',
  answer: w.object({ version: w.exactly(1), resources: w.list(w.text('https://jobs.example/api/verify')) }),
};

export const FAUCET: OtherDescription = {
  tag,
  summary: '1,000 of each token for a wallet: on a development chain only',
  request: w.object({ wallet: w.wallet }),
  answer: w.object({
    wallet: w.wallet,
    balances: w.mapOf(w.usd, { 'usdc-base': '1000' }),
    ignored: w.rare(w.list(w.text('walet'))),
  }),
  codes: ['unknown_endpoint'],
  example: { wallet: `0x${'1'.repeat(40)}` },
};
