/** What a development chain offers to whoever tries the service; there is none on a real chain. */
export abstract class Faucet {
  /** RPC addresses by the rails' short names. */
  abstract readonly rpc: { readonly [short: string]: string };
  /** Gives a wallet 1,000 of each token. Answers its balances in smallest units, by the rails' names. */
  abstract fundWallet(wallet: string): Promise<{ readonly [rail: string]: bigint }>;
}
