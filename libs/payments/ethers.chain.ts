import { Unavailable } from '#libs/kernel/refusal.js';
import { findUseInLogs } from './authorization-use.js';
import { TransactionRejected } from './chain.port.js';
import type { AuthorizationUse, Chain, Rail, Receipt, SignedTransaction, TransferAuthorization } from './chain.port.js';
import { TOKEN, encodeTransfer } from './eip3009.js';
import { readConfirmedHead, readFinalBlock } from './chain-heads.js';
import { GasLimitEstimator } from './gas-limit-estimator.js';
import { COST_WEI_MAX, FEE_CALLS, FEE_WEI_MAX, raiseFees, parseFees } from './gas-price.js';
import type { Fees } from './gas-price.js';
import { isTooCheap } from './node-refusals.js';
import { RelayerAccount, sendRawTransaction } from './relayer-account.js';
import { RPC_TIMEOUT_MS, RpcPool, requireResult } from './rpc.js';
import type { RpcAddress, RpcCall } from './rpc.js';
import {
  parseBlock,
  parseBytes,
  parseFlag,
  parseInteger,
  parseQuantity,
  parseReceipt,
  toQuantity,
  parseWord,
} from './rpc-values.js';
import { simulationRefusal } from './simulation.js';
import { SEARCH_BOUNDS, searchAuthorizationUse } from './authorization-use-search.js';
import type { SearchBounds } from './authorization-use-search.js';

export { expectedDomainSeparator, recoverPayer, transferAuthorizationDigest } from './eip3009.js';

/** What the code of an account begins with that a key signs for and another contract runs for (EIP-7702). */
const DELEGATION_PREFIX = '0xef0100';
/** A block or two: the fee of a transaction is twice the base fee, which moves by an eighth in a block. */
const FEES_AGE_MS_MAX = 2_000;
const BLOCKS_EARLIER = 32;
const TRANSACTIONS_COUNTED_MAX = 1_000_000n;

/** How a block is named by its hash (EIP-1898). */
interface BlockReference {
  readonly blockHash: string;
}

export interface EthersChainOptions {
  /** For one request to one address. */
  readonly rpcTimeoutMs?: number;
  readonly search?: SearchBounds;
}

type ChainObservation = Awaited<ReturnType<Chain['observe']>>;
type Heads = Awaited<ReturnType<Chain['heads']>>;
type FinalObservation = Awaited<ReturnType<Chain['observeFinal']>>;

/**
 * A rail's chain over JSON-RPC, with `ethers` for the ABI, hashes and signatures alone: its provider polls and retries
 * in the background, and a poll that fails there can end the process. Here nothing runs that nobody waits for.
 */
export class EthersChain implements Chain {
  private readonly rpc: RpcPool;
  private readonly account: RelayerAccount;
  private readonly searchBounds: SearchBounds;
  private readonly gas: GasLimitEstimator;
  private cachedFees: { readonly fees: Fees; readonly atMs: number } | null = null;

  /** `rpcUrls` are tried in their order; `relayerKey` is 0x and 64 hex digits. */
  constructor(
    readonly rail: Rail,
    rpcUrls: readonly string[],
    relayerKey: string,
    options: EthersChainOptions = {},
  ) {
    this.rpc = new RpcPool(rpcUrls, `The chain ${rail.short}`, options.rpcTimeoutMs ?? RPC_TIMEOUT_MS);
    this.account = new RelayerAccount(relayerKey);
    this.gas = new GasLimitEstimator(this.rpc, rail.asset, () => this.relayer);
    this.searchBounds = options.search ?? SEARCH_BOUNDS;
  }

  get relayer(): string {
    return this.account.address;
  }

  /**
   * Behind one address there may be several nodes, and one of them may lag: so the state is asked for at the very block
   * that was answered, by its hash. A node that has not got that block has no answer.
   */
  async observe(payer: string, nonce: string): Promise<ChainObservation> {
    return this.rpc.callFirst(async address => {
      const { hash, ...newest } = parseBlock(await address.call('eth_getBlockByNumber', 'latest', false));
      const [used, balance, code] = await address.batch(
        this.viewCall('authorizationState', [payer, nonce], atBlock(hash)),
        this.viewCall('balanceOf', [payer], atBlock(hash)),
        { method: 'eth_getCode', params: [payer, atBlock(hash)] },
      );
      return {
        ...newest,
        used: parseFlag(requireResult(used)),
        balance: BigInt(parseWord(requireResult(balance))),
        contract: isContract(parseBytes(requireResult(code))),
      };
    });
  }

  /**
   * Of several nodes the one that lags most says how far the chain is, and a use is believed where one of them has seen
   * it.
   */
  async observeFinal(payer: string, nonce: string): Promise<FinalObservation> {
    const seen = await this.rpc.callEvery(address => this.finalState(address, payer, nonce));
    const oldest = seen.reduce((a, b) => (b.block < a.block ? b : a));
    return { ...oldest, used: seen.some(({ used }) => used) };
  }

  async heads(): Promise<Heads> {
    const seen = await this.rpc.callEvery(async address => {
      const { hash } = parseBlock(await address.call('eth_getBlockByNumber', 'latest', false));
      return { newest: hash, final: (await readFinalBlock(address, this.rail)).block };
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
      const head = await readConfirmedHead(address, this.rail);
      const from = Math.max(0, fromBlock - BLOCKS_EARLIER);
      return searchAuthorizationUse(address, this.rail, authorization, from, head, this.searchBounds);
    });
  }

  /** Simulated in the pending block: on a chain without traffic the newest block is older than `validAfter`. */
  async simulate(authorization: TransferAuthorization, signature: string): Promise<string | null> {
    const call = { from: this.relayer, to: this.rail.asset, data: encodeTransfer(authorization, signature) };
    return this.rpc.callFirst(async address => {
      const [pending, latest] = await address.batch(
        { method: 'eth_call', params: [call, 'pending'] },
        { method: 'eth_call', params: [call, 'latest'] },
      );
      return simulationRefusal(pending, latest);
    });
  }

  async transactionsLeft(): Promise<number> {
    const [{ maxFee }, balance] = await Promise.all([
      this.fees(),
      this.rpc.callFirst(async address => parseQuantity(await address.call('eth_getBalance', this.relayer, 'latest'))),
    ]);
    const left = balance / (maxFee * this.gas.latest);
    return left < TRANSACTIONS_COUNTED_MAX ? Number(left) : Number(TRANSACTIONS_COUNTED_MAX);
  }

  async nextRelayerNonce(): Promise<number> {
    return this.rpc.callFirst(async address =>
      parseInteger(await address.call('eth_getTransactionCount', this.relayer, 'pending')),
    );
  }

  async minedRelayerNonce(): Promise<number> {
    return this.rpc.callFirst(async address =>
      parseInteger(await address.call('eth_getTransactionCount', this.relayer, 'latest')),
    );
  }

  /** No call tells the fee of what waits at a nonce, so it is raised until the node takes it. */
  async clearNonce(relayerNonce: number): Promise<void> {
    const quoted = await this.fees();
    for (
      let fees = { ...quoted, tip: quoted.maxFee };
      fees.maxFee <= FEE_WEI_MAX;
      fees = raiseFees(quoted, fees.maxFee)
    ) {
      const { raw } = this.account.signEmpty(this.rail, relayerNonce, fees);
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
    const data = encodeTransfer(authorization, signature);
    const [quoted, gasLimit] = await Promise.all([this.fees(), this.gas.estimate(data)]);
    const fees = above === undefined ? quoted : raiseFees(quoted, BigInt(above));
    const tooDear = fees.maxFee > FEE_WEI_MAX || fees.maxFee * gasLimit > COST_WEI_MAX;
    if (tooDear) throw this.unavailable('Its fees are above the limit.');
    return this.account.sign(this.rail, data, relayerNonce, { ...fees, gasLimit });
  }

  async broadcast(raw: string): Promise<void> {
    await this.rpc.callFirst(address => sendRawTransaction(address, raw));
  }

  async receipt(tx: string, authorization: TransferAuthorization): Promise<Receipt | null> {
    return this.rpc.callFirst(async address => {
      const [head, answer] = await address.batch(
        { method: 'eth_blockNumber', params: [] },
        { method: 'eth_getTransactionReceipt', params: [tx] },
      );
      const receipt = parseReceipt(requireResult(answer));
      if (!receipt) return null;
      const { block, status, logs } = receipt;
      const confirmed = parseInteger(requireResult(head)) - block + 1 >= this.rail.confirmations;
      return { block, confirmed, status, use: findUseInLogs(this.rail, authorization, logs) };
    });
  }

  /** Whether every address has the same block at the highest number that all of them have. */
  async addressesAgree(): Promise<boolean> {
    const heads = await this.rpc.callEvery(async address => parseInteger(await address.call('eth_blockNumber')));
    const common = toQuantity(Math.max(0, Math.min(...heads) - this.rail.confirmations + 1));
    const blocks = await this.rpc.callEvery(async address =>
      parseBlock(await address.call('eth_getBlockByNumber', common, false)),
    );
    return new Set(blocks.map(({ hash }) => hash.toLowerCase())).size === 1;
  }

  async domainSeparator(): Promise<string> {
    return this.rpc.callFirst(async address => {
      const [answer] = await address.batch(this.viewCall('DOMAIN_SEPARATOR', [], 'latest'));
      return parseWord(requireResult(answer));
    });
  }

  private viewCall(name: string, values: readonly unknown[], block: string | BlockReference): RpcCall {
    return {
      method: 'eth_call',
      params: [{ to: this.rail.asset, data: TOKEN.encodeFunctionData(name, values) }, block],
    };
  }

  private async finalState(address: RpcAddress, payer: string, nonce: string): Promise<FinalObservation> {
    const { hash, ...block } = await readFinalBlock(address, this.rail);
    const [used] = await address.batch(this.viewCall('authorizationState', [payer, nonce], atBlock(hash)));
    return { ...block, used: parseFlag(requireResult(used)) };
  }

  private async fees(): Promise<Fees> {
    const now = performance.now();
    if (this.cachedFees && now - this.cachedFees.atMs < FEES_AGE_MS_MAX) return this.cachedFees.fees;
    const fees = await this.rpc.callFirst(async address => parseFees(await address.batch(...FEE_CALLS)));
    this.cachedFees = { fees, atMs: now };
    return fees;
  }

  private unavailable(why: string): Unavailable {
    return new Unavailable(`The chain ${this.rail.short}`, { cause: new Error(why) });
  }
}

const atBlock = (blockHash: string): BlockReference => ({ blockHash });
const isContract = (code: string) => code !== '0x' && !code.toLowerCase().startsWith(DELEGATION_PREFIX);
