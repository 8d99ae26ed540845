import { Unavailable } from '#libs/kernel/refusal.js';
import {
  findUseInLogs,
  SEARCH_BOUNDS,
  searchAuthorizationUse,
  searchNewestLog,
  type SearchBounds,
} from './authorization-use.js';
import { TransactionRejected } from './chain.port.js';
import type {
  AuthorizationUse,
  Chain,
  ContractCall,
  ExpectedUse,
  LoggedReceipt,
  LogTopics,
  Rail,
  Receipt,
  SignedDigest,
  SignedTransaction,
} from './chain.port.js';
import { TOKEN } from './eip3009.js';
import { readBlock, readConfirmedHead, readFinalBlock } from './chain-heads.js';
import { readLoggedReceipt, viewCalls } from './chain-reads.js';
import { GasLimitEstimator, COST_WEI_MAX, FEE_CALLS, FEE_WEI_MAX, type Fees, parseFees, raiseFees } from './gas.js';
import { isTooCheap } from './node-refusals.js';
import { RelayerAccount, sendRawTransaction } from './relayer-account.js';
import { checkSignature } from './signature-check.js';
import { chooseCall, simulateCall } from './contract-call.js';
import { requireResult, RPC_TIMEOUT_MS, type RpcAddress, type RpcCall, RpcPool } from './rpc.js';
import { type Log, parseBytes, parseFlag, parseInteger, parseQuantity, toQuantity, parseWord } from './rpc-values.js';

export { expectedDomainSeparator, transferAuthorizationDigest } from './eip3009.js';

/** One or two blocks. Safe because `maxFee` allows for twice the base fee, which moves by an eighth per block. */
const FEES_AGE_MS_MAX = 2_000;
const BLOCKS_EARLIER = 32;
const TRANSACTIONS_COUNTED_MAX = 1_000_000n;

type BlockReference = { readonly blockHash: string };

interface EthersChainOptions {
  readonly rpcTimeoutMs?: number;
  readonly search?: SearchBounds;
}

type ChainObservation = Awaited<ReturnType<Chain['observe']>>;
type Heads = Awaited<ReturnType<Chain['heads']>>;
type FinalObservation = Awaited<ReturnType<Chain['observeFinal']>>;

/**
 * A rail's chain over JSON-RPC. Uses `ethers` only for ABI, hashes and signatures: its provider polls in the
 * background, and a failing poll can end the process.
 */
export class EthersChain implements Chain {
  private readonly rpc: RpcPool;
  private readonly account: RelayerAccount;
  private readonly searchBounds: SearchBounds;
  private readonly gas: GasLimitEstimator;
  private cachedFees: { readonly fees: Fees; readonly atMs: number } | null = null;

  constructor(
    readonly rail: Rail,
    rpcUrls: readonly string[],
    relayerKey: string,
    options: EthersChainOptions = {},
  ) {
    this.rpc = new RpcPool(rpcUrls, `The chain ${rail.short}`, options.rpcTimeoutMs ?? RPC_TIMEOUT_MS);
    this.account = new RelayerAccount(relayerKey);
    this.gas = new GasLimitEstimator(this.rpc, () => this.relayer);
    this.searchBounds = options.search ?? SEARCH_BOUNDS;
  }

  get relayer(): string {
    return this.account.address;
  }

  /**
   * Reads the state at the hash of the newest block, because one address may hide several nodes, some of them lagging.
   */
  async observe(payer: string, nonce: string, signed?: SignedDigest): Promise<ChainObservation> {
    return this.rpc.callFirst(async address => {
      const { hash, ...newest } = await readBlock(address, 'latest');
      const [used, balance, payerCode] = await address.batch(
        this.viewCall('authorizationState', [payer, nonce], atBlock(hash)),
        this.viewCall('balanceOf', [payer], atBlock(hash)),
        { method: 'eth_getCode', params: [payer, atBlock(hash)] },
      );
      const code = parseBytes(requireResult(payerCode));
      return {
        ...newest,
        used: parseFlag(requireResult(used)),
        balance: BigInt(parseWord(requireResult(balance))),
        signature: signed ? await checkSignature(this.rail, signed, { address, code, blockHash: hash }) : null,
      };
    });
  }

  /** Uses the oldest final block of all addresses, and believes a use that any of them shows. */
  async observeFinal(payer: string, nonce: string): Promise<FinalObservation> {
    const states = await this.rpc.callEvery(async address => {
      const { hash, ...block } = await readFinalBlock(address, this.rail);
      const [used] = await address.batch(this.viewCall('authorizationState', [payer, nonce], atBlock(hash)));
      return { ...block, used: parseFlag(requireResult(used)) };
    });
    const oldest = states.reduce((a, b) => (b.block < a.block ? b : a));
    return { ...oldest, used: states.some(({ used }) => used) };
  }

  async heads(): Promise<Heads> {
    const heads = await this.rpc.callEvery(async address => {
      const { hash } = await readBlock(address, 'latest');
      return { newest: hash, final: (await readFinalBlock(address, this.rail)).block };
    });
    return { newest: heads[0]!.newest, final: Math.min(...heads.map(({ final }) => final)) };
  }

  /**
   * Starts some blocks earlier, because a reorganisation may have moved the use there. Returns null only if no address
   * shows a use, because a node may have pruned its logs.
   */
  async findUse(expected: ExpectedUse, fromBlock: number): Promise<AuthorizationUse | null> {
    return this.rpc.find(async address => {
      const head = await readConfirmedHead(address, this.rail);
      const from = Math.max(0, fromBlock - BLOCKS_EARLIER);
      return searchAuthorizationUse(address, this.rail, expected, from, head, this.searchBounds);
    });
  }

  async simulate(call: ContractCall): Promise<string | null> {
    return this.rpc.callFirst(async address => simulateCall(address, this.relayer, await chooseCall(address, call)));
  }

  async transactionsLeft(): Promise<number> {
    const [{ maxFee }, balance] = await Promise.all([
      this.fees(),
      this.rpc.callFirst(async address => parseQuantity(await address.call('eth_getBalance', this.relayer, 'latest'))),
    ]);
    const transactionsLeft = balance / (maxFee * this.gas.latest);
    return transactionsLeft < TRANSACTIONS_COUNTED_MAX ? Number(transactionsLeft) : Number(TRANSACTIONS_COUNTED_MAX);
  }

  nextRelayerNonce(): Promise<number> {
    return this.countTransactions('pending');
  }

  minedRelayerNonce(): Promise<number> {
    return this.countTransactions('latest');
  }

  /** No call returns the fee of a pending transaction, so the fee is raised until the node accepts. */
  async clearNonce(relayerNonce: number): Promise<void> {
    const quoted = await this.fees();
    let fees = { ...quoted, tip: quoted.maxFee };
    for (; fees.maxFee <= FEE_WEI_MAX; fees = raiseFees(quoted, fees.maxFee)) {
      const { raw } = await this.account.sign(this.rail, relayerNonce, fees);
      try {
        return await this.broadcast(raw);
      } catch (error) {
        if (!(error instanceof TransactionRejected)) throw error;
        if (!isTooCheap(error.message)) return;
      }
    }
    throw this.unavailable();
  }

  async sign(call: ContractCall, relayerNonce: number, above?: string): Promise<SignedTransaction> {
    const { to, data, ...chosen } = await this.rpc.callFirst(address => chooseCall(address, call));
    const [quoted, gasLimit] = await Promise.all([this.fees(), chosen.gasLimit ?? this.gas.estimate({ to, data })]);
    const fees = above === undefined ? quoted : raiseFees(quoted, BigInt(above));
    const isTooExpensive = fees.maxFee > FEE_WEI_MAX || fees.maxFee * gasLimit > COST_WEI_MAX;
    if (isTooExpensive) throw this.unavailable();
    return this.account.sign(this.rail, relayerNonce, fees, { to, data, gasLimit });
  }

  async broadcast(raw: string): Promise<void> {
    await this.rpc.callFirst(address => sendRawTransaction(address, raw));
  }

  async receipt(tx: string, expected: ExpectedUse): Promise<Receipt | null> {
    const receipt = await this.logsOf(tx);
    if (!receipt) return null;
    const { block, isConfirmed, status, logs } = receipt;
    return { block, confirmed: isConfirmed, status, use: findUseInLogs(this.rail, expected, logs) };
  }

  logsOf(tx: string): Promise<LoggedReceipt | null> {
    return this.rpc.callFirst(address => readLoggedReceipt(address, this.rail, tx));
  }

  async findNewestLog(address: string, topics: LogTopics, fromBlock: number): Promise<Log | null> {
    return this.rpc.find(async node => {
      const head = await readConfirmedHead(node, this.rail);
      const from = Math.max(0, fromBlock - BLOCKS_EARLIER);
      return searchNewestLog(node, { address, topics }, from, head, this.searchBounds);
    });
  }

  view(calls: readonly ContractCall[]): ReturnType<Chain['view']> {
    return this.rpc.callFirst(address => viewCalls(address, calls));
  }

  async addressesAgree(): Promise<boolean> {
    const heads = await this.rpc.callEvery(async address => parseInteger(await address.call('eth_blockNumber')));
    const commonBlock = toQuantity(Math.max(0, Math.min(...heads) - this.rail.confirmations + 1));
    const blocks = await this.rpc.callEvery(address => readBlock(address, commonBlock));
    return new Set(blocks.map(({ hash }) => hash.toLowerCase())).size === 1;
  }

  async domainSeparator(): Promise<string> {
    return this.rpc.callFirst(async address => {
      const [answer] = await address.batch(this.viewCall('DOMAIN_SEPARATOR', [], 'latest'));
      return parseWord(requireResult(answer));
    });
  }

  private countTransactions(block: 'pending' | 'latest'): Promise<number> {
    const count = (address: RpcAddress) => address.call('eth_getTransactionCount', this.relayer, block);
    return this.rpc.callFirst(async address => parseInteger(await count(address)));
  }

  private viewCall(name: string, values: readonly unknown[], block: string | BlockReference): RpcCall {
    return {
      method: 'eth_call',
      params: [{ to: this.rail.asset, data: TOKEN.encodeFunctionData(name, values) }, block],
    };
  }

  private async fees(): Promise<Fees> {
    const now = performance.now();
    if (this.cachedFees && now - this.cachedFees.atMs < FEES_AGE_MS_MAX) return this.cachedFees.fees;
    const fees = await this.rpc.callFirst(async address => parseFees(await address.batch(...FEE_CALLS)));
    this.cachedFees = { fees, atMs: now };
    return fees;
  }

  private unavailable(): Unavailable {
    return new Unavailable(`The chain ${this.rail.short}`, { cause: new Error('Its fees are above the limit.') });
  }
}

const atBlock = (blockHash: string): BlockReference => ({ blockHash });
