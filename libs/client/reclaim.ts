import type { Signer } from 'ethers';

interface ReclaimOptions {
  /** Hash of the transaction that funded the escrow. */
  readonly tx: string;
  /** JSON-RPC address of a node of its chain. */
  readonly rpcUrl: string;
  /** The wallet that funded it: an ethers `Signer`, or a private key (0x and 64 hex digits). It pays the gas. */
  readonly wallet: string | Pick<Signer, 'getAddress' | 'sendTransaction'>;
}

/**
 * Takes the money of an escrow back after its deadline, without the service. Returns the hash of the confirmed
 * transaction. Throws if the transaction `tx` has no escrow of this wallet, or the contract refuses (before the
 * deadline, or after a release or a return).
 */
export async function reclaim({ tx, rpcUrl, wallet }: ReclaimOptions): Promise<string> {
  const [{ JsonRpcProvider, Wallet }, { reclaimTransactions }] = await Promise.all([
    import('ethers'),
    import('./auth-capture.js'),
  ]);
  const provider = new JsonRpcProvider(rpcUrl, undefined, { cacheTimeout: -1 });
  try {
    const signer = typeof wallet === 'string' ? new Wallet(wallet, provider) : wallet;
    const [reclaiming] = reclaimTransactions(await provider.getTransactionReceipt(tx), await signer.getAddress());
    if (!reclaiming) throw new Error(`The transaction ${tx} funds no escrow of this wallet.`);
    const sent = await signer.sendTransaction(reclaiming);
    await sent.wait();
    return sent.hash;
  } finally {
    provider.destroy();
  }
}
