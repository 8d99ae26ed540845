import { Wallet } from 'ethers';
import { AgentClient, PaymentDeclined } from '#libs/client/index.js';

const service = 'http://127.0.0.1:36613';
const wallet = Wallet.createRandom();
const spendingCapUsd = { perPayment: '2', total: '5' };
const ada = await AgentClient.quickstart(service, { kind: 'publisher' }, { wallet, spendingCapUsd });
await ada.faucet({ wallet: wallet.address }); // development chain only

const job = { title: 'Translate a page', summary: 'One page about rivers, into French.', done: 'it reads like French' };
const { role, payment } = await ada.job({ ...job, budgetUsd: '30' }); // the fee is 1.50 USD
console.log(role, payment);
await ada.job({ ...job, budgetUsd: '300' }).catch(error => {
  if (!(error instanceof PaymentDeclined)) throw error;
  console.log(error.message); // the fee is 15 USD: nothing was signed
});
