import type { PaymentSigner } from './payer.js';

/** Loads ethers only for a private key. Pages load `payer.ts`, which must not import it. */
export async function toSigner(wallet: string | PaymentSigner): Promise<PaymentSigner> {
  if (typeof wallet !== 'string') return wallet;
  const { Wallet } = await import('ethers');
  return new Wallet(wallet);
}
