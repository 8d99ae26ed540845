import { type BaseWallet, TypedDataEncoder, Wallet } from 'ethers';
import type { BrowserContext } from 'playwright-core';

interface Typed {
  readonly domain: { readonly chainId: number };
  readonly types: { [name: string]: { name: string; type: string }[] };
  readonly primaryType: string;
  readonly message: { readonly [name: string]: unknown };
}

interface Asked {
  readonly method: string;
  readonly params?: readonly unknown[];
}

interface Answered {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const REFUSED = { code: 4001, message: 'User rejected the request.' };
const UNKNOWN_CHAIN = { code: 4902, message: 'Unrecognized chain ID.' };

/** A signing wallet that injects itself into pages as an extension does (EIP-1193, and EIP-6963 if it has a name). */
export class InjectedWallet {
  readonly asked: string[] = [];
  /** Methods that its owner rejects. */
  readonly refuses = new Set<string>();
  chainId = 8453;
  knows: readonly number[] = [8453, 4663];
  /** The node it queries, as wallets use a configured node. */
  node: string | null = null;
  /** Stops responding, like a wallet that waits for a password. */
  isSilent = false;
  /** Rejects with what EIP-1193 asks for at least: an object with a code. */
  isPlain = false;

  constructor(readonly account: BaseWallet = Wallet.createRandom()) {}

  /** Announces itself as `name`, or injects itself as `ethereum` without a name. */
  async enter(context: BrowserContext, name?: string): Promise<void> {
    const bridge = name === undefined ? 'askWallet' : `ask${name}`;
    await context.exposeFunction(bridge, (request: Asked) => this.answer(request));
    await context.addInitScript(PROVIDER, { bridge, name, isPlain: this.isPlain });
  }

  private async answer({ method, params = [] }: Asked): Promise<Answered> {
    this.asked.push(method);
    if (this.isSilent) return new Promise(() => undefined);
    if (this.refuses.has(method)) return { error: REFUSED };
    if (method === 'eth_chainId') return { result: `0x${this.chainId.toString(16)}` };
    if (method === 'eth_requestAccounts') return { result: [this.account.address] };
    if (method === 'wallet_switchEthereumChain') return this.switchTo(params[0] as { readonly chainId: string });
    if (method === 'eth_signTypedData_v4') return this.sign(String(params[0]), JSON.parse(String(params[1])) as Typed);
    if (method === 'eth_getTransactionReceipt' && this.node !== null) return this.fromNode(method, params);
    return { error: { code: 4200, message: `It knows no ${method}.` } };
  }

  private async fromNode(method: string, params: readonly unknown[]): Promise<Answered> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch(this.node!, { method: 'POST', headers, body })).json()) as Answered;
  }

  private switchTo({ chainId }: { readonly chainId: string }): Answered {
    if (!this.knows.includes(Number(chainId))) return { error: UNKNOWN_CHAIN };
    this.chainId = Number(chainId);
    return { result: null };
  }

  /** Signs only for its own account and its current chain, as wallets do. */
  private async sign(address: string, { domain, types, primaryType, message }: Typed): Promise<Answered> {
    const { EIP712Domain, ...others } = types;
    if (!EIP712Domain || TypedDataEncoder.getPrimaryType(others) !== primaryType || address !== this.account.address)
      return { error: { code: -32602, message: 'These are no typed data of this account.' } };
    if (Number(domain.chainId) !== this.chainId)
      return { error: { code: -32603, message: `Provided chainId must match the active chainId ${this.chainId}` } };
    return { result: await this.account.signTypedData(domain, others, { ...message }) };
  }
}

interface Entering {
  readonly bridge: string;
  readonly name: string | undefined;
  readonly isPlain: boolean;
}

/** Runs in the page before its scripts. */
const PROVIDER = ({ bridge, name, isPlain }: Entering) => {
  const request = async (request: Asked) => {
    const ask = (window as unknown as { [name: string]: (request: Asked) => Promise<Answered> })[bridge]!;
    const { result, error } = await ask(request);
    const plain: unknown = error && { code: error.code };
    if (error) throw isPlain ? (plain as Error) : Object.assign(new Error(error.message), error);
    return result;
  };
  const provider = { request };
  if (name === undefined) return void Object.assign(window, { ethereum: provider });
  const detail = Object.freeze({ info: { uuid: name, name, icon: 'data:,', rdns: 'test.wallet' }, provider });
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
};
