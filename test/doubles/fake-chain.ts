import { RAILS } from '#libs/payments/rails.js';
import {
  TransactionRejected,
  type AuthorizationUse,
  type Chain,
  type ContractCall,
  type ExpectedUse,
  type Rail,
  type Receipt,
  type SignatureVerdict,
  type SignedDigest,
  type SignedTransaction,
  type TransferAuthorization,
} from '#libs/payments/chain.port.js';
import { isSignedByKey } from '#libs/payments/signature-check.js';
import { Faults } from './faults.js';
import { decodeTransaction, decodeTransfer, transactionHash } from './fake-transaction.js';
import type { TestClock } from './test-clock.js';

interface Mined {
  readonly block: number;
  readonly status: 'success' | 'reverted';
}

const SAFE_DEPTH = 32;

/** Token on a chain with one node in memory. A replay succeeds silently, as with USDG. */
export class FakeChain implements Chain {
  readonly relayer = `0x${'ab'.repeat(20)}`;
  readonly faults = new Faults('The chain');
  readonly balances = new Map<string, bigint>();
  readonly transfers: string[] = [];
  /** Mines a block per transaction; otherwise `mine` does. */
  automine = true;
  forgets = false;
  affordable = 1_000;
  block = 100;
  /** Offered fee and minimum fee to be mined. */
  quote = 1000;
  feeMin = 0;
  pruned = false;
  private accountNonce = 0;
  /** Block of each used account nonce. */
  private readonly nonceBlocks: number[] = [];
  private readonly amounts = new Map<string, { readonly to: string; readonly value: bigint }>();
  private readonly times = new Map<number, number>();
  private forks = 0;
  private readonly uses = new Map<string, AuthorizationUse>();
  private readonly pool = new Map<number, string>();
  private readonly mined = new Map<string, Mined>();

  constructor(
    private readonly clock: TestClock,
    readonly rail: Rail = RAILS[1]!,
  ) {}

  observe(payer: string, nonce: string, signed?: SignedDigest) {
    return this.faults.run('observe', async () => {
      const state = { ...this.state(payer, nonce), balance: this.balances.get(payer) ?? 0n };
      return { ...state, signature: signed ? await verdict(signed) : null };
    });
  }

  observeFinal(payer: string, nonce: string) {
    return this.faults.run('observeFinal', () => {
      const block = this.finalBlock();
      const use = this.uses.get(`${payer}/${nonce}`);
      const timestamp = block === this.block ? secondsOf(this.clock) : (this.times.get(block) ?? 0);
      return { block, timestamp, used: use !== undefined && use.block <= block };
    });
  }

  heads() {
    return this.faults.run('heads', () => ({ newest: `${this.forks}/${this.block}`, final: this.finalBlock() }));
  }

  findUse({ from, nonce }: ExpectedUse, fromBlock: number): Promise<AuthorizationUse | null> {
    return this.faults.run('findUse', () => {
      const use = this.uses.get(`${from}/${nonce}`);
      return use && use.block >= fromBlock && !this.pruned ? use : null;
    });
  }

  simulate(call: ContractCall): Promise<string | null> {
    return this.faults.run('simulate', () => this.refusal(decodeTransfer(call)));
  }

  transactionsLeft(): Promise<number> {
    return this.faults.run('transactionsLeft', () => this.affordable);
  }

  nextRelayerNonce(): Promise<number> {
    return this.faults.run('nextRelayerNonce', () => {
      let next = this.accountNonce;
      while (this.pool.has(next)) next += 1;
      return next;
    });
  }

  minedRelayerNonce(): Promise<number> {
    return this.faults.run('minedRelayerNonce', () => this.accountNonce);
  }

  clearNonce(relayerNonce: number): Promise<void> {
    return this.faults.run('clearNonce', () => {
      const other = this.pool.get(relayerNonce);
      const fee = Math.max(this.quote, Math.ceil((other ? decodeTransaction(other).fee : 0) * 1.125));
      this.receive(`0x${Buffer.from(JSON.stringify({ authorization: null, relayerNonce, fee })).toString('hex')}`);
    });
  }

  sign(call: ContractCall, relayerNonce: number, above?: string): Promise<SignedTransaction> {
    return this.faults.run('sign', () => {
      const authorization = decodeTransfer(call);
      const fee = above === undefined ? this.quote : Math.max(this.quote, Math.ceil(Number(above) * 1.125));
      const raw = `0x${Buffer.from(JSON.stringify({ authorization, relayerNonce, fee })).toString('hex')}`;
      return { tx: transactionHash(raw), raw, relayer: this.relayer, relayerNonce, fee: String(fee) };
    });
  }

  broadcast(raw: string): Promise<void> {
    return this.faults.run('broadcast', () => this.receive(raw));
  }

  receipt(tx: string, { from, nonce }: ExpectedUse): Promise<Receipt | null> {
    return this.faults.run('receipt', () => {
      const mined = this.mined.get(tx);
      const use = this.uses.get(`${from}/${nonce}`);
      return mined ? { ...mined, confirmed: true, use: use?.tx === tx ? use : null } : null;
    });
  }

  readonly logsOf = () => Promise.resolve(null);
  readonly findNewestLog = () => Promise.resolve(null);
  readonly view = () => Promise.resolve({ block: this.block, timestamp: secondsOf(this.clock), results: [] });

  async addressesAgree(): Promise<boolean> {
    return true;
  }

  async domainSeparator(): Promise<string> {
    return '0x';
  }

  mine(): void {
    this.newBlock();
    for (let raw = this.head(); raw; raw = this.head()) {
      this.pool.delete(this.accountNonce);
      this.accountNonce = this.nonceBlocks.push(this.block);
      const { authorization } = decodeTransaction(raw);
      if (authorization) this.execute(transactionHash(raw), authorization);
    }
  }

  sendAsStranger(authorization: TransferAuthorization): string {
    this.newBlock();
    const tx = transactionHash(`stranger ${authorization.nonce}`);
    this.execute(tx, authorization);
    return tx;
  }

  cancel({ from, nonce }: TransferAuthorization): void {
    this.newBlock();
    this.uses.set(`${from}/${nonce}`, { tx: transactionHash(`cancel ${nonce}`), block: this.block, paid: false });
  }

  useRelayerNonce(): void {
    this.pool.delete(this.accountNonce);
    this.accountNonce = this.nonceBlocks.push(this.block);
  }

  /** Removes the newest blocks and the pending transactions. */
  reorganise(blocks: number): void {
    this.forks += 1;
    this.block -= blocks;
    const isGone = ({ block }: { readonly block: number }) => block > this.block;
    for (const [key, use] of this.uses) if (isGone(use)) this.revertTransfer(key, use);
    for (const [tx, mined] of this.mined) if (isGone(mined)) this.mined.delete(tx);
    while (isGone({ block: this.nonceBlocks.at(-1) ?? 0 })) this.nonceBlocks.pop();
    this.accountNonce = this.nonceBlocks.length;
    this.pool.clear();
  }

  private revertTransfer(key: string, { paid }: AuthorizationUse): void {
    this.uses.delete(key);
    if (!paid) return;
    const [from, nonce] = key.split('/') as [string, string];
    const { to, value } = this.amounts.get(nonce)!;
    this.balances.set(from, this.balances.get(from)! + value);
    this.balances.set(to, this.balances.get(to)! - value);
    this.transfers.splice(this.transfers.indexOf(nonce), 1);
  }

  private newBlock(): void {
    this.block += 1;
    this.times.set(this.block, secondsOf(this.clock));
  }

  private finalBlock(): number {
    const { finality } = this.rail;
    return this.block - (finality === 'safe' ? SAFE_DEPTH : finality) + 1;
  }

  private head(): string | undefined {
    const raw = this.pool.get(this.accountNonce);
    return raw && decodeTransaction(raw).fee >= this.feeMin ? raw : undefined;
  }

  private state(payer: string, nonce: string) {
    return { block: this.block, timestamp: secondsOf(this.clock), used: this.uses.has(`${payer}/${nonce}`) };
  }

  private receive(raw: string): void {
    const { relayerNonce, fee } = decodeTransaction(raw);
    if (this.mined.has(transactionHash(raw)) || this.pool.get(relayerNonce) === raw || this.forgets) return;
    if (relayerNonce < this.accountNonce) throw new TransactionRejected('nonce too low');
    const other = this.pool.get(relayerNonce);
    if (other && decodeTransaction(other).fee * 1.125 > fee)
      throw new TransactionRejected('replacement transaction underpriced');
    this.pool.set(relayerNonce, raw);
    if (this.automine) this.mine();
  }

  private refusal({ from, value, nonce, validBefore }: TransferAuthorization): string | null {
    if (this.uses.has(`${from}/${nonce}`)) return 'authorization is used';
    if (BigInt(validBefore) <= BigInt(secondsOf(this.clock))) return 'authorization is expired';
    return (this.balances.get(from) ?? 0n) < BigInt(value) ? 'transfer amount exceeds balance' : null;
  }

  private execute(tx: string, authorization: TransferAuthorization): void {
    const { from, to, value, nonce } = authorization;
    const key = `${from}/${nonce}`;
    const refusal = this.refusal(authorization);
    this.mined.set(tx, { block: this.block, status: refusal === null || this.uses.has(key) ? 'success' : 'reverted' });
    if (refusal !== null) return;
    this.uses.set(key, { tx, block: this.block, paid: true });
    this.balances.set(from, this.balances.get(from)! - BigInt(value));
    this.balances.set(to, (this.balances.get(to) ?? 0n) + BigInt(value));
    this.transfers.push(nonce);
    this.amounts.set(nonce, { to, value: BigInt(value) });
  }
}

const secondsOf = (clock: TestClock) => Math.floor(clock.now() / 1000);

const verdict = async (signed: SignedDigest): Promise<SignatureVerdict> =>
  (await isSignedByKey(signed)) ? 'valid' : 'invalid';
