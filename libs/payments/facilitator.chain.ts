import { id } from 'ethers/hash';
import { FACILITATOR_ACCOUNT } from './chain.port.js';
import type { Chain, ContractCall, ExpectedUse, Rail, Receipt, SignedTransaction } from './chain.port.js';
import { decodeTransfer } from './eip3009.js';
import { EthersChain } from './ethers.chain.js';
import type { Facilitator } from './facilitator.js';
import type { SignedPayment } from './scheme.js';

const TRANSACTIONS_LEFT = 1_000_000;
/** Covers the ten minutes of an authorization on chains with blocks of 0.1 s. */
const SEARCH_BLOCKS = 10_000;
const NAMED_MAX = 10_000;

/**
 * Chain on which a facilitator sends the payments. State, receipts and uses are read from our own nodes: the answer of
 * the facilitator only says where to look.
 */
export class FacilitatorChain implements Chain {
  readonly relayer = FACILITATOR_ACCOUNT;
  private readonly node: EthersChain;
  /** Transactions that the facilitator has named, by the hash of the request. */
  private readonly named = new Map<string, string>();

  constructor(
    readonly rail: Rail,
    rpcUrls: readonly string[],
    private readonly facilitator: Facilitator,
  ) {
    // This key signs nothing: it only gives simulated calls a sender.
    this.node = new EthersChain(rail, rpcUrls, id('an account that sends nothing'));
  }

  readonly observe: Chain['observe'] = (...args) => this.node.observe(...args);
  readonly observeFinal: Chain['observeFinal'] = (...args) => this.node.observeFinal(...args);
  readonly heads: Chain['heads'] = () => this.node.heads();
  readonly findUse: Chain['findUse'] = (...args) => this.node.findUse(...args);
  readonly view: Chain['view'] = calls => this.node.view(calls);
  readonly logsOf: Chain['logsOf'] = tx => this.node.logsOf(tx);
  readonly findNewestLog: Chain['findNewestLog'] = (...search) => this.node.findNewestLog(...search);
  readonly addressesAgree: Chain['addressesAgree'] = () => this.node.addressesAgree();
  readonly domainSeparator: Chain['domainSeparator'] = () => this.node.domainSeparator();

  async simulate(call: ContractCall): Promise<string | null> {
    const [reason, verdict] = await Promise.all([
      this.node.simulate(call),
      this.facilitator.verify(this.rail, decodeTransfer(call)),
    ]);
    return reason ?? verdict;
  }

  /** The facilitator pays the gas, on the networks that it supports. */
  async transactionsLeft(): Promise<number> {
    return (await this.facilitator.networks()).includes(this.rail.network) ? TRANSACTIONS_LEFT : 0;
  }

  async nextRelayerNonce(): Promise<number> {
    return 0;
  }

  async minedRelayerNonce(): Promise<number> {
    return 0;
  }

  async clearNonce(): Promise<void> {}

  /** The request to the facilitator takes the place of a transaction. */
  async sign(call: ContractCall, relayerNonce: number): Promise<SignedTransaction> {
    const raw = JSON.stringify(decodeTransfer(call));
    return { tx: id(raw), raw, relayer: this.relayer, relayerNonce, fee: '0' };
  }

  async broadcast(raw: string): Promise<void> {
    const transaction = await this.facilitator.settle(this.rail, JSON.parse(raw) as SignedPayment);
    if (this.named.size >= NAMED_MAX) this.named.delete(this.named.keys().next().value!);
    this.named.set(id(raw), transaction);
  }

  /** Looks on the chain if the answer of the facilitator was lost, or names a transaction that does not pay. */
  async receipt(request: string, expected: ExpectedUse): Promise<Receipt | null> {
    const named = this.named.get(request);
    const receipt = named === undefined ? null : await this.node.receipt(named, expected);
    if (receipt?.use) return receipt;
    const { used, block } = await this.node.observe(expected.from, expected.nonce);
    const use = used ? await this.node.findUse(expected, Math.max(0, block - SEARCH_BLOCKS)) : null;
    return use ? this.node.receipt(use.tx, expected) : receipt;
  }
}
