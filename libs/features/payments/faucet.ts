import { getAddress } from 'ethers/address';
import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { Refusal, Unavailable } from '#libs/kernel/refusal.js';
import { type Faucet, FaucetAccess } from '#libs/payments/devchain/faucet.js';
import { defineOpenAction } from '#libs/endpoints/query.js';
import * as w from '#libs/values/answer-schema.js';

export const faucet = defineOpenAction('faucet', {
  fields: { wallet: needed(c.wallet, 'The wallet to fund') },
  uses: { access: FaucetAccess },
  answer: w.object({ wallet: w.wallet, balances: w.mapOf(w.usd, { 'usdc-base': '1000' }) }),
  errors: ['unknown_endpoint'],
  doc: {
    tag: 'Payments',
    summary: 'Fund a test wallet',
    details: 'Gives the wallet 1,000 of each token. Only available on a development chain.',
    example: { wallet: `0x${'1'.repeat(40)}` },
  },
  assertAvailable: ({ access }) => void requireFaucet(access),
  async perform({ wallet }, { access }) {
    const balances = Object.entries(await fillWallet(requireFaucet(access), getAddress(wallet.toLowerCase())));
    return { wallet, balances: Object.fromEntries(balances.map(([rail, units]) => [rail, formatUsdAmount(units)])) };
  },
});

function requireFaucet({ faucet }: FaucetAccess): Faucet {
  if (!faucet) throw new Refusal('unknown_endpoint', 'There is no faucet: this service uses a real chain.');
  return faucet;
}

async function fillWallet(faucet: Faucet, wallet: string) {
  try {
    return await faucet.fundWallet(wallet);
  } catch (cause) {
    throw new Unavailable('The development chain', { cause });
  }
}
