import type { PaymentSigner } from '#libs/client/payer.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Provider } from './provider.js';

type TypedData = Parameters<PaymentSigner['signTypedData']>;

/** EIP-1193, and EIP-3326 for a chain that a wallet does not know. */
const USER_REJECTED = 4001;
const UNKNOWN_CHAIN = 4902;

/** The type of the domain, which a wallet is told besides (EIP-712). */
const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/** Signs payments by a wallet of the browser, which asks its owner each time. Throws sentences for its owner. */
export class WalletSigner implements PaymentSigner {
  constructor(private readonly provider: Provider) {}

  async getAddress(): Promise<string> {
    const [address] = (await this.ask('eth_requestAccounts')) as readonly string[];
    if (address === undefined) throw new Error('Your wallet names no account. Nothing was signed.');
    return address;
  }

  async signTypedData(domain: TypedData[0], types: TypedData[1], message: TypedData[2]): Promise<string> {
    await this.switchTo(domain.chainId);
    const [primaryType] = Object.keys(types);
    const typed = { domain, types: { EIP712Domain: DOMAIN, ...types }, primaryType, message };
    return (await this.ask('eth_signTypedData_v4', [message['from'], JSON.stringify(typed)])) as string;
  }

  /** A wallet signs for the chain alone that it is on. */
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

/** Some wallets wrap what they mean. */
interface RpcError {
  readonly code?: number;
  readonly message?: string;
  readonly data?: { readonly originalError?: { readonly code?: number } };
}

function sentenceOf(error: unknown, chainId: number | undefined): string {
  const { code, message, data } = error as RpcError;
  const meant = data?.originalError?.code ?? code;
  if (meant === USER_REJECTED) return 'You have refused it in your wallet. Nothing was signed.';
  const chain = RAILS.find(rail => rail.chainId === chainId)?.short ?? 'that chain';
  if (meant === UNKNOWN_CHAIN)
    return `Your wallet does not know ${chain} (${chainId}): add it there. Nothing was signed.`;
  return `Your wallet says: ${message ?? 'no'}. Nothing was signed.`;
}
