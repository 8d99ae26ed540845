import { SECOND_MS } from '#libs/kernel/clock.js';
import { assertThat } from './assertions.js';

const TIMEOUT_MS = 5 * SECOND_MS;
/** `balanceOf(address)` of ERC-20. */
const BALANCE_OF = '0x70a08231';
const WORD_DIGITS = 64;

/** Reads the chain directly, without the service. */
export class TokenOnChain {
  constructor(
    private readonly rpc: string,
    private readonly asset: string,
  ) {}

  /** In the token's smallest unit. */
  async balanceOf(address: string): Promise<bigint> {
    const data = BALANCE_OF + address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0');
    const answer = await this.call<string>('eth_call', [{ to: this.asset, data }, 'latest']);
    return BigInt(answer);
  }

  /** Whether the transaction succeeded and called this token. */
  async hasPaid(tx: string): Promise<boolean> {
    const receipt = await this.call<{ status: string; to: string } | null>('eth_getTransactionReceipt', [tx]);
    return receipt?.status === '0x1' && receipt.to.toLowerCase() === this.asset.toLowerCase();
  }

  private async call<T>(method: string, params: unknown[]): Promise<T> {
    const response = await fetch(this.rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { result, error } = (await response.json()) as { result?: T; error?: { message: string } };
    assertThat(
      result !== undefined,
      `The chain at ${this.rpc} did not answer ${method}: ${error?.message ?? response.status}.`,
    );
    return result;
  }
}
