interface FundedWallet {
  readonly wallet: string;
  /** USD by rail. */
  readonly balances: { readonly [rail: string]: string };
}

export function balancesText({ wallet, balances }: FundedWallet): string {
  const texts = Object.entries(balances).map(([rail, balance]) => `${balance} USD on ${rail}`);
  return `${wallet} has ${texts.join(' and ')}.`;
}
