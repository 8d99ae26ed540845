import { setTimeout as sleep } from 'node:timers/promises';
import { type BaseWallet, Interface, Signature } from 'ethers';
import { UsdcDouble } from '#libs/payments/devchain/contracts/usdc-double.artifact.js';
import { transferCall } from '#libs/payments/eip3009.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Token } from './token.js';
import type { SignedPayload } from './x402.js';

const ABI = new Interface(UsdcDouble.abi);
const CANCEL = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

/** Sends the transfer as a third party and returns the transaction. */
export function broadcastTransfer(
  token: Token,
  rail: string,
  { authorization, signature }: SignedPayload,
): Promise<string> {
  return sendTransaction(token, rail, transferCall(railOf(rail), authorization, signature).data);
}

export async function cancelAuthorization(
  token: Token,
  rail: string,
  payer: BaseWallet,
  nonce: string,
): Promise<string> {
  const signed = await signCancellation(rail, payer, nonce);
  return sendTransaction(token, rail, signed);
}

export async function signCancellation(rail: string, payer: BaseWallet, nonce: string): Promise<string> {
  const { chainId, asset, domain } = railOf(rail);
  const domainOf = { ...domain, chainId, verifyingContract: asset };
  const signature = await payer.signTypedData(domainOf, CANCEL, { authorizer: payer.address, nonce });
  const { v, r, s } = Signature.from(signature);
  const values = [payer.address, nonce, v, r, s];
  return ABI.encodeFunctionData('cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)', values);
}

export async function sendTransaction(token: Token, rail: string, data: string): Promise<string> {
  const [from] = await token.call<string[]>('eth_accounts');
  const tx = await token.call<string>('eth_sendTransaction', { from, to: railOf(rail).asset, data });
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    if ((await token.call('eth_getTransactionReceipt', tx)) !== null) return tx;
    await sleep(LOOK_MS);
  }
  throw new Error(`No block has ${tx}.`);
}

const LOOKS_MAX = 500;
const LOOK_MS = 10;

const railOf = (name: string) => RAILS.find(each => each.name === name)!;
