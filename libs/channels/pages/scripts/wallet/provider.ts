/** A wallet in the browser (EIP-1193). */
export interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

export interface Wallet {
  readonly name: string;
  readonly provider: Provider;
}

/** Announcement of a wallet (EIP-6963). */
interface WalletAnnouncement {
  readonly info: { readonly uuid: string; readonly name: string };
  readonly provider: Provider;
}

/** Announced wallets (EIP-6963), else the one in `window.ethereum`. */
export function findWallets(): readonly Wallet[] {
  const wallets = new Map<string, Wallet>();
  const addWallet = (event: Event) => {
    const { info, provider } = (event as CustomEvent<WalletAnnouncement>).detail;
    wallets.set(info.uuid, { name: info.name, provider });
  };
  addEventListener('eip6963:announceProvider', addWallet);
  dispatchEvent(new Event('eip6963:requestProvider'));
  removeEventListener('eip6963:announceProvider', addWallet);
  const { ethereum } = globalThis as unknown as { readonly ethereum?: Provider };
  return wallets.size === 0 && ethereum ? [{ name: 'Your wallet', provider: ethereum }] : [...wallets.values()];
}
