import { Interface } from 'ethers';
import { EscrowDouble11 } from '#libs/payments/devchain/contracts/escrow-double.artifact.js';
import { ESCROW, PAYMENT_AUTHORIZED } from '#libs/payments/escrow-abi.js';
import { ESCROW_CONTRACTS } from '#libs/payments/escrow-contracts.js';
import type { Token } from './token.js';

const { escrow: CONTRACT } = ESCROW_CONTRACTS['v1.1'];

/** Sends a transaction as an account that the node does not have the key of. */
export async function sendAs(token: Token, from: string, to: string, data: string): Promise<void> {
  await token.call('anvil_impersonateAccount', from);
  await token.call('eth_sendTransaction', { from, to, data });
  await token.call('anvil_stopImpersonatingAccount', from);
}

/** Ends the newest escrow without the service. */
export async function endNewestEscrow(token: Token, by: 'void' | 'reclaim', account: string): Promise<void> {
  const filter = { address: CONTRACT, topics: [PAYMENT_AUTHORIZED], fromBlock: '0x0' };
  const logs = await token.call<{ data: string; topics: string[] }[]>('eth_getLogs', filter);
  const { data, topics } = logs.at(-1)!;
  const { info } = ESCROW.decodeEventLog('PaymentAuthorized', data, topics) as unknown as { readonly info: unknown };
  await sendAs(token, account, CONTRACT, new Interface(EscrowDouble11.abi).encodeFunctionData(by, [info]));
}
