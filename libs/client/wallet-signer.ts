import type { PaymentSigner } from './payer.js';

/** What signs with a wallet: itself, or the account of a private key, which ethers is loaded for. */
export async function toSigner(wallet: string | PaymentSigner): Promise<PaymentSigner> {
  if (typeof wallet !== 'string') return wallet;
  const { Wallet } = await import('ethers');
  return new Wallet(wallet);
}
