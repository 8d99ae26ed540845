import type { PaymentSigner } from '#libs/client/payer.js';
import { RAILS } from '#libs/payments/rails.js';

/** A wallet in the browser (EIP-1193). */
export interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

interface InjectedWallet {
  readonly name: string;
  readonly provider: Provider;
}

/** Announcement of a wallet (EIP-6963). */
interface WalletAnnouncement {
  readonly info: { readonly uuid: string; readonly name: string };
  readonly provider: Provider;
}

/** Announced wallets (EIP-6963), else the one in `window.ethereum`. */
export function findWallets(): readonly InjectedWallet[] {
  const wallets = new Map<string, InjectedWallet>();
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

export type TypedData = Parameters<PaymentSigner['signTypedData']>;

/** Type of the domain of typed data (EIP-712). */
export const DOMAIN_FIELDS: TypedData[1][string] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/** Codes of EIP-1193 and EIP-3326. */
const USER_REJECTED = 4001;
const UNKNOWN_CHAIN = 4902;

/** Signs payments with a wallet in the browser, which asks its owner each time. Throws sentences for the owner. */
export class WalletSigner implements PaymentSigner {
  constructor(private readonly provider: Provider) {}

  async getAddress(): Promise<string> {
    const [address] = (await this.ask('eth_requestAccounts')) as readonly string[];
    if (address === undefined) throw new Error('Your wallet has no account. Nothing was signed.');
    return address;
  }

  async signTypedData(domain: TypedData[0], types: TypedData[1], message: TypedData[2]): Promise<string> {
    await this.switchTo(domain.chainId);
    const [primaryType] = Object.keys(types);
    const typed = { domain, types: { EIP712Domain: DOMAIN_FIELDS, ...types }, primaryType, message };
    return (await this.ask('eth_signTypedData_v4', [message['from'], JSON.stringify(typed)])) as string;
  }

  /** Wallets only sign for their current chain. */
  private async switchTo(chainId: number): Promise<void> {
    if (Number(await this.ask('eth_chainId')) === chainId) return;
    await this.ask('wallet_switchEthereumChain', [{ chainId: `0x${chainId.toString(16)}` }], chainId);
  }

  private async ask(method: string, params: readonly unknown[] = [], chainId?: number): Promise<unknown> {
    try {
      return await this.provider.request({ method, params });
    } catch (error) {
      throw new Error(sentenceOf(error, chainId), { cause: error });
    }
  }
}

/** Some wallets wrap the error. */
interface RpcError {
  readonly code?: number;
  readonly message?: string;
  readonly data?: { readonly originalError?: { readonly code?: number } };
}

function sentenceOf(error: unknown, chainId: number | undefined): string {
  const { code, message, data } = (error ?? {}) as RpcError;
  const originalCode = data?.originalError?.code ?? code;
  if (originalCode === USER_REJECTED) return 'You rejected the payment in your wallet. Nothing was signed.';
  const chain = RAILS.find(rail => rail.chainId === chainId)?.title ?? 'that chain';
  if (originalCode === UNKNOWN_CHAIN)
    return `Your wallet does not know ${chain} (${chainId}): add the chain there. Nothing was signed.`;
  return `Your wallet reported: ${message ?? 'an error'}. Nothing was signed.`;
}
