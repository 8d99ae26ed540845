import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const service = 'http://127.0.0.1:36613';
const account = privateKeyToAccount(generatePrivateKey());
const client = new x402Client()
  .register('eip155:8453', new ExactEvmScheme(account))
  .register('eip155:4663', new ExactEvmScheme(account))
  .setSpendControls({
    maxAmountPerPayment: '$2', // of USDC on Base; without this line $1
    allowedAssets: [
      // USDG is no default asset of this client, so it has to be named; the cap is in millionths of a dollar.
      { network: 'eip155:4663', asset: '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168', maxAmountPerPayment: '2000000' },
    ],
  });
const payingFetch = wrapFetchWithPayment(fetch, client);

async function post(endpoint, fields, token = '') {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const request = { method: 'POST', headers, body: JSON.stringify(fields) };
  return (await payingFetch(`${service}/api/${endpoint}`, request)).json();
}

const { token } = await post('quickstart', { kind: 'publisher' });
await post('faucet', { wallet: account.address }); // development chain only
const job = { title: 'Translate a page', summary: 'One page about rivers, into French.', done: 'it reads like French' };
for (const rail of ['usdc-base', 'usdg-robinhood']) {
  const { role, payment } = await post('job', { ...job, budget_usd: '30', rail }, token);
  console.log(role, payment);
}
