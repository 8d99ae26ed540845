/** A wallet in the browser (EIP-1193). */
export interface Provider {
  request(asked: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

export interface Wallet {
  readonly name: string;
  readonly provider: Provider;
}

/** What a wallet tells of itself (EIP-6963). */
interface WalletAnnouncement {
  readonly info: { readonly uuid: string; readonly name: string };
  readonly provider: Provider;
}

/** The reader's wallets: those that announce themselves when they are asked to (EIP-6963), else the one that stands in the page. */
export function findWallets(): readonly Wallet[] {
  const found = new Map<string, Wallet>();
  const note = (event: Event) => {
    const { info, provider } = (event as CustomEvent<WalletAnnouncement>).detail;
    found.set(info.uuid, { name: info.name, provider });
  };
  addEventListener('eip6963:announceProvider', note);
  dispatchEvent(new Event('eip6963:requestProvider'));
  removeEventListener('eip6963:announceProvider', note);
  const { ethereum } = globalThis as unknown as { readonly ethereum?: Provider };
  return found.size === 0 && ethereum ? [{ name: 'Your wallet', provider: ethereum }] : [...found.values()];
}
