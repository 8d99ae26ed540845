import { Unavailable } from '#libs/kernel/refusal.js';
import { useInLogs } from './authorization-use.js';
import { TransactionRejected } from './chain.port.js';
import type { AuthorizationUse, Chain, Rail, Receipt, SignedTransaction, TransferAuthorization } from './chain.port.js';
import { TOKEN, transferCall } from './eip3009.js';
import { confirmedHead, finalBlock } from './heads.js';
import { GasLimit } from './gas-limit.js';
import { COST_WEI_MAX, FEE_CALLS, FEE_WEI_MAX, bumped, feesOf } from './gas-price.js';
import type { Fees } from './gas-price.js';
import { isTooCheap } from './node-refusals.js';
import { RelayerAccount, sendRaw } from './relayer-account.js';
import { RPC_TIMEOUT_MS, Rpc, resultOf } from './rpc.js';
import type { RpcAddress, RpcCall } from './rpc.js';
import { blockOf, bytes, flag, integer, quantity, receiptOf, toQuantity, word } from './rpc-values.js';
import { simulated } from './simulation.js';
import { SEARCH_BOUNDS, searchUse } from './use-search.js';
import type { SearchBounds } from './use-search.js';

export { expectedDomainSeparator, recoverPayer, transferAuthorizationDigest } from './eip3009.js';

/** What the code of an account begins with that a key signs for and another contract runs for (EIP-7702). */
const DELEGATION = '0xef0100';
/** A block or two: the fee of a transaction is twice the base fee, which moves by an eighth in a block. */
const FEES_AGE_MS_MAX = 2_000;
const BLOCKS_EARLIER = 32;
const TRANSACTIONS_COUNTED_MAX = 1_000_000n;

/** How a block is named by its hash (EIP-1898). */
interface AtBlock {
  readonly blockHash: string;
}

export interface EthersChainOptions {
  /** For one request to one address. */
  readonly rpcTimeoutMs?: number;
  readonly search?: SearchBounds;
}

type Observation = Awaited<ReturnType<Chain['observe']>>;
type Heads = Awaited<ReturnType<Chain['heads']>>;
type FinalObservation = Awaited<ReturnType<Chain['observeFinal']>>;

/**
 * A rail's chain over JSON-RPC, with `ethers` for the ABI, hashes and signatures alone: its provider polls and retries
 * in the background, and a poll that fails there can end the process. Here nothing runs that nobody waits for.
 */
export class EthersChain implements Chain {
  private readonly rpc: Rpc;
  private readonly account: RelayerAccount;
  private readonly searchBounds: SearchBounds;
  private readonly gas: GasLimit;
  private quoted: { readonly fees: Fees; readonly atMs: number } | null = null;

  /** `rpcUrls` are tried in their order; `relayerKey` is 0x and 64 hex digits. */
  constructor(
    readonly rail: Rail,
    rpcUrls: readonly string[],
    relayerKey: string,
    options: EthersChainOptions = {},
  ) {
    this.rpc = new Rpc(rpcUrls, `The chain ${rail.short}`, options.rpcTimeoutMs ?? RPC_TIMEOUT_MS);
    this.account = new RelayerAccount(relayerKey);
    this.gas = new GasLimit(this.rpc, rail.asset, () => this.relayer);
    this.searchBounds = options.search ?? SEARCH_BOUNDS;
  }

  get relayer(): string {
    return this.account.address;
  }

  /**
   * Behind one address there may be several nodes, and one of them may lag: so the state is asked for at the very block
   * that was answered, by its hash. A node that has not got that block has no answer.
   */
  async observe(payer: string, nonce: string): Promise<Observation> {
    return this.rpc.first(async address => {
      const { hash, ...newest } = blockOf(await address.call('eth_getBlockByNumber', 'latest', false));
      const [used, balance, code] = await address.batch(
        this.view('authorizationState', [payer, nonce], at(hash)),
        this.view('balanceOf', [payer], at(hash)),
        { method: 'eth_getCode', params: [payer, at(hash)] },
      );
      return {
        ...newest,
        used: flag(resultOf(used)),
        balance: BigInt(word(resultOf(balance))),
        contract: isContract(bytes(resultOf(code))),
      };
    });
  }

  /**
   * Of several nodes the one that lags most says how far the chain is, and a use is believed where one of them has seen
   * it.
   */
  async observeFinal(payer: string, nonce: string): Promise<FinalObservation> {
    const seen = await this.rpc.every(address => this.finalState(address, payer, nonce));
    const oldest = seen.reduce((a, b) => (b.block < a.block ? b : a));
    return { ...oldest, used: seen.some(({ used }) => used) };
  }

  async heads(): Promise<Heads> {
    const seen = await this.rpc.every(async address => {
      const { hash } = blockOf(await address.call('eth_getBlockByNumber', 'latest', false));
      return { newest: hash, final: (await finalBlock(address, this.rail)).block };
    });
    return { newest: seen[0]!.newest, final: Math.min(...seen.map(({ final }) => final)) };
  }

  /**
   * Begins some blocks earlier, since after a reorganisation what was in a later block may be in one of these. Covers
   * 200,000 blocks, far more than an authorization is valid for. A node that has thrown away old logs may answer that
   * there are none, so that is not believed while another one can be asked.
   */
  async findUse(authorization: TransferAuthorization, fromBlock: number): Promise<AuthorizationUse | null> {
    return this.rpc.find(async address => {
      const head = await confirmedHead(address, this.rail);
      const from = Math.max(0, fromBlock - BLOCKS_EARLIER);
      return searchUse(address, this.rail, authorization, from, head, this.searchBounds);
    });
  }

  /** Simulated in the pending block: on a chain without traffic the newest block is older than `validAfter`. */
  async simulate(authorization: TransferAuthorization, signature: string): Promise<string | null> {
    const call = { from: this.relayer, to: this.rail.asset, data: transferCall(authorization, signature) };
    return this.rpc.first(async address => {
      const [pending, latest] = await address.batch(
        { method: 'eth_call', params: [call, 'pending'] },
        { method: 'eth_call', params: [call, 'latest'] },
      );
      return simulated(pending, latest);
    });
  }

  async transactionsLeft(): Promise<number> {
    const [{ maxFee }, balance] = await Promise.all([
      this.fees(),
      this.rpc.first(async address => quantity(await address.call('eth_getBalance', this.relayer, 'latest'))),
    ]);
    const left = balance / (maxFee * this.gas.latest);
    return left < TRANSACTIONS_COUNTED_MAX ? Number(left) : Number(TRANSACTIONS_COUNTED_MAX);
  }

  async nextRelayerNonce(): Promise<number> {
    return this.rpc.first(async address =>
      integer(await address.call('eth_getTransactionCount', this.relayer, 'pending')),
    );
  }

  async minedRelayerNonce(): Promise<number> {
    return this.rpc.first(async address =>
      integer(await address.call('eth_getTransactionCount', this.relayer, 'latest')),
    );
  }

  /** No call tells the fee of what waits at a nonce, so it is raised until the node takes it. */
  async clearNonce(relayerNonce: number): Promise<void> {
    const quoted = await this.fees();
    for (let fees = { ...quoted, tip: quoted.maxFee }; fees.maxFee <= FEE_WEI_MAX; fees = bumped(quoted, fees.maxFee)) {
      const { raw } = this.account.signNothing(this.rail, relayerNonce, fees);
      try {
        return await this.broadcast(raw);
      } catch (error) {
        if (!(error instanceof TransactionRejected)) throw error;
        if (!isTooCheap(error.reason)) return;
      }
    }
    throw this.unavailable('Its fees are above the limit.');
  }

  async sign(
    authorization: TransferAuthorization,
    signature: string,
    relayerNonce: number,
    above?: string,
  ): Promise<SignedTransaction> {
    const data = transferCall(authorization, signature);
    const [quoted, gasLimit] = await Promise.all([this.fees(), this.gas.of(data)]);
    const fees = above === undefined ? quoted : bumped(quoted, BigInt(above));
    const tooDear = fees.maxFee > FEE_WEI_MAX || fees.maxFee * gasLimit > COST_WEI_MAX;
    if (tooDear) throw this.unavailable('Its fees are above the limit.');
    return this.account.sign(this.rail, data, relayerNonce, { ...fees, gasLimit });
  }

  async broadcast(raw: string): Promise<void> {
    await this.rpc.first(address => sendRaw(address, raw));
  }

  async receipt(tx: string, authorization: TransferAuthorization): Promise<Receipt | null> {
    return this.rpc.first(async address => {
      const [head, answer] = await address.batch(
        { method: 'eth_blockNumber', params: [] },
        { method: 'eth_getTransactionReceipt', params: [tx] },
      );
      const receipt = receiptOf(resultOf(answer));
      if (!receipt) return null;
      const { block, status, logs } = receipt;
      const confirmed = integer(resultOf(head)) - block + 1 >= this.rail.confirmations;
      return { block, confirmed, status, use: useInLogs(this.rail, authorization, logs) };
    });
  }

  /** Whether every address has the same block at the highest number that all of them have. */
  async addressesAgree(): Promise<boolean> {
    const heads = await this.rpc.every(async address => integer(await address.call('eth_blockNumber')));
    const common = toQuantity(Math.max(0, Math.min(...heads) - this.rail.confirmations + 1));
    const blocks = await this.rpc.every(async address =>
      blockOf(await address.call('eth_getBlockByNumber', common, false)),
    );
    return new Set(blocks.map(({ hash }) => hash.toLowerCase())).size === 1;
  }

  async domainSeparator(): Promise<string> {
    return this.rpc.first(async address => {
      const [answer] = await address.batch(this.view('DOMAIN_SEPARATOR', [], 'latest'));
      return word(resultOf(answer));
    });
  }

  private view(name: string, values: readonly unknown[], block: string | AtBlock): RpcCall {
    return {
      method: 'eth_call',
      params: [{ to: this.rail.asset, data: TOKEN.encodeFunctionData(name, values) }, block],
    };
  }

  private async finalState(address: RpcAddress, payer: string, nonce: string): Promise<FinalObservation> {
    const { hash, ...block } = await finalBlock(address, this.rail);
    const [used] = await address.batch(this.view('authorizationState', [payer, nonce], at(hash)));
    return { ...block, used: flag(resultOf(used)) };
  }

  private async fees(): Promise<Fees> {
    const now = performance.now();
    if (this.quoted && now - this.quoted.atMs < FEES_AGE_MS_MAX) return this.quoted.fees;
    const fees = await this.rpc.first(async address => feesOf(await address.batch(...FEE_CALLS)));
    this.quoted = { fees, atMs: now };
    return fees;
  }

  private unavailable(why: string): Unavailable {
    return new Unavailable(`The chain ${this.rail.short}`, { cause: new Error(why) });
  }
}

const at = (blockHash: string): AtBlock => ({ blockHash });
const isContract = (code: string) => code !== '0x' && !code.toLowerCase().startsWith(DELEGATION);
