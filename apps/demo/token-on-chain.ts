import { RpcAddress } from '#libs/payments/rpc.js';
import { AssertionFailure } from './assertions.js';

/** `balanceOf(address)` of ERC-20. */
const BALANCE_OF = '0x70a08231';
const WORD_DIGITS = 64;

/** Reads the chain directly, without the service. */
export class TokenOnChain {
  private readonly node: RpcAddress;

  constructor(
    private readonly rpc: string,
    private readonly asset: string,
  ) {
    this.node = new RpcAddress(rpc);
  }

  /** In the token's smallest unit. */
  async balanceOf(address: string): Promise<bigint> {
    const data = BALANCE_OF + address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0');
    return BigInt((await this.call('eth_call', { to: this.asset, data }, 'latest')) as string);
  }

  /** Whether the transaction succeeded and called this token. */
  async hasPaid(tx: string): Promise<boolean> {
    const receipt = (await this.call('eth_getTransactionReceipt', tx)) as { status: string; to: string } | null;
    return receipt?.status === '0x1' && receipt.to.toLowerCase() === this.asset.toLowerCase();
  }

  private call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    return this.node.call(method, ...params).catch((cause: Error) => {
      throw new AssertionFailure(`The chain at ${this.rpc} did not answer ${method}: ${cause.message}`, { cause });
    });
  }
}
