export interface Faucet {
  readonly rpc: { readonly [short: string]: string };
  /** Gives a wallet 1,000 of each token. Returns its balances in smallest units by rail. */
  fundWallet(wallet: string): Promise<{ readonly [rail: string]: bigint }>;
}

/** Null on a real chain. */
export class FaucetAccess {
  constructor(readonly faucet: Faucet | null) {}
}
