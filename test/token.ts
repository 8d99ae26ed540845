import { AbiCoder, id } from 'ethers';
import { DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { RAILS } from '#libs/payments/rails.js';

const TRANSFER = id('Transfer(address,address,uint256)');
const BALANCE_OF = id('balanceOf(address)').slice(0, 10);
const WORD_DIGITS = 64;

export interface Transfer {
  readonly tx: string;
  readonly amount: bigint;
}

/** Reads a token directly from its node without the service. */
export class Token {
  readonly asset: string;

  constructor(
    readonly rpc: string,
    rail: string,
  ) {
    this.asset = RAILS.find(({ name }) => name === rail)!.asset;
  }

  async balanceOf(wallet: string): Promise<bigint> {
    const data = BALANCE_OF + topic(wallet).slice(2);
    return BigInt(await this.call<string>('eth_call', { to: this.asset, data }, 'latest'));
  }

  /** Without `to`, transfers to the service; with null, to anyone. */
  async transfers(from: string, to: string | null = DEV_SERVICE_WALLET): Promise<Transfer[]> {
    const filter = { address: this.asset, fromBlock: '0x0', topics: [TRANSFER, topic(from), to && topic(to)] };
    const logs = await this.call<{ transactionHash: string; data: string }[]>('eth_getLogs', filter);
    const amountOf = (data: string) => AbiCoder.defaultAbiCoder().decode(['uint256'], data)[0] as bigint;
    return logs.map(({ transactionHash, data }) => ({ tx: transactionHash, amount: amountOf(data) }));
  }

  async call<T>(method: string, ...params: unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(this.rpc, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await response.json()) as { result?: T; error?: { message: string } };
    if (error || result === undefined) throw new Error(`${method}: ${error?.message ?? response.status}`);
    return result;
  }
}

const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')}`;
