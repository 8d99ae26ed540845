export abstract class Faucet {
  abstract readonly rpc: { readonly [short: string]: string };
  /** Gives a wallet 1,000 of each token. Returns its balances in smallest units by rail. */
  abstract fundWallet(wallet: string): Promise<{ readonly [rail: string]: bigint }>;
}
