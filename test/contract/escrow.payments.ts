import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client';
import { Contract, JsonRpcProvider, toBeHex, Wallet, ZeroAddress } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import { Claims } from '#libs/claims/claims.js';
import { ClaimStreams } from '#libs/claims/claim-streams.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type CommandResult, serviceContext } from '#libs/kernel/decide.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { EscrowVersion } from '#libs/kernel/escrow-version.js';
import type { Refusal } from '#libs/kernel/refusal.js';
import { EscrowDouble11 } from '#libs/payments/devchain/contracts/escrow-double.artifact.js';
import type { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { ESCROW, parseAddress } from '#libs/payments/escrow-abi.js';
import { ESCROW_CONTRACTS } from '#libs/payments/escrow-contracts.js';
import { EthersChain } from '#libs/payments/ethers.chain.js';
import { offerEntry } from '#libs/payments/offers.js';
import { type PaymentPayload, readPaymentPayload } from '#libs/payments/payment-payload.js';
import { Payments, type PaymentsDependencies } from '#libs/payments/payments.js';
import { signedPayment } from '#libs/payments/ledger.js';
import type { Effect, PaidRequest, PaymentAcceptedEvent, Purchase } from '#libs/payments/purchase.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { MemoryCoordination } from '../doubles/memory-coordination.js';
import { MemoryLog } from '../doubles/memory-log.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { commandContext, integers } from '../given.js';
import { refusalOf } from '../unit/in-memory-stores.js';
import { Token } from '../token.js';
import { decodeBase64Json, encodeBase64Json } from '../x402.js';
import { AMOUNT, BASE } from './escrow.bench.js';
import { settledIn } from './escrow.events.js';

const MUSE = 'agent_0123456789';
const ENDPOINT = 'hire';
const PARTIES = { hire: 7, role: 'a-job', poster: MUSE, worker: 'agent_worker0000' };

interface Terms {
  readonly version?: EscrowVersion;
  readonly amount?: bigint;
  readonly payTo?: string;
  /** Seconds by which the deadline is earlier than that of a fresh offer. */
  readonly deadlineAgeS?: number;
  readonly heldMs?: number;
}

/** Sells an escrow over the development chain, with an effect that does nothing. */
export class EscrowPayments {
  readonly log = new MemoryLog();
  readonly receiver = Wallet.createRandom().address;
  readonly operator: string;
  readonly payments: Payments;
  /** Another process on the same log, chain and shared state has these too. */
  readonly dependencies: PaymentsDependencies;
  readonly journal: Journal;
  /** Moves with the clock of the chain. */
  readonly clock = { aheadMs: 0, now: (): number => Date.now() + this.clock.aheadMs };
  readonly reported: unknown[] = [];
  private hires = 0;
  outcome: 'applied' | 'void' = 'applied';
  /** Payments whose hire can no longer be made. */
  readonly voids = new Set<string>();
  private readonly nowMs: number;
  private requests = 0;

  private constructor(
    private readonly provider: JsonRpcProvider,
    private readonly token: Token,
    readonly chain: EthersChain,
    readonly payer: Wallet,
    nowS: number,
    parts: Partial<PaymentsDependencies>,
  ) {
    this.operator = chain.relayer;
    this.nowMs = nowS * 1_000;
    const { clock, log } = this;
    const journal = new Journal(log, new Codec(new MuseKeys(new MemoryVault()), EVENT_TYPES));
    this.journal = journal;
    this.dependencies = {
      journal,
      claims: new Claims(journal, new ClaimStreams(Buffer.alloc(32, 2)), clock),
      coordination: new MemoryCoordination(),
      clock,
      integers,
      chains: [chain],
      effects: [this.effect()],
      offers: { baseUrl: 'https://jobs.example', v1Rails: 'registry' },
      log,
      holder: `process-${Math.random()}`,
      report: error => this.reported.push(error),
      ...parts,
      signer: { signJws: payload => Promise.resolve(canonicalJson(payload)) },
    };
    this.payments = new Payments(this.dependencies);
  }

  static async start(dev: DevChain, parts: Partial<PaymentsDependencies> = {}, rail = BASE): Promise<EscrowPayments> {
    const url = dev.rpc['base']!;
    const provider = new JsonRpcProvider(url, BASE.chainId, { cacheTimeout: -1, staticNetwork: true });
    const key = Wallet.createRandom().privateKey;
    const chain = new EthersChain(rail, [url], key);
    const payer = new Wallet(Wallet.createRandom().privateKey);
    await dev.fundWallet(payer.address);
    const { timestamp } = (await provider.getBlock('latest'))!;
    const escrow = new EscrowPayments(provider, new Token(url, BASE.name), chain, payer, timestamp, parts);
    await escrow.setBalance(10n ** 18n);
    return escrow;
  }

  setBalance(wei: bigint): Promise<unknown> {
    return this.provider.send('anvil_setBalance', [this.operator, toBeHex(wei)]);
  }

  purchase({ version = 'v1.1', amount = AMOUNT, payTo = this.receiver, heldMs = DAY_MS }: Terms = {}): Purchase {
    return {
      path: `/api/${ENDPOINT}`,
      description: 'A wage',
      amount,
      payTo,
      rails: [BASE],
      things: [{ kind: 'purchase', value: 'hire/1' }],
      owner: `muse-${MUSE}`,
      subject: null,
      escrow: { version, captureDeadline: Math.floor((this.nowMs + heldMs) / 1_000) },
    };
  }

  /** Pays an offer with the official client. */
  async pay({ deadlineAgeS = 0, ...terms }: Terms = {}): Promise<PaymentPayload> {
    const purchase = this.purchase(terms);
    const captureDeadline = purchase.escrow!.captureDeadline - deadlineAgeS;
    const accepted = offerEntry(
      { ...purchase, escrow: { ...purchase.escrow!, captureDeadline, operator: this.operator } },
      BASE,
    );
    const client = new AuthCaptureEvmScheme(privateKeyToAccount(this.payer.privateKey as `0x${string}`));
    const { payload } = await client.createPaymentPayload(2, accepted);
    return readPaymentPayload({ paymentSignature: encodeBase64Json({ x402Version: 2, accepted, payload }) })!;
  }

  buy(payload: PaymentPayload | null, terms: Terms = {}, payments = this.payments): Promise<CommandResult> {
    return payments.buy(this.request(payload), async () => this.purchase(terms));
  }

  refusal(payload: PaymentPayload | null, terms: Terms = {}): Promise<Refusal> {
    return refusalOf(this.buy(payload, terms));
  }

  offer(): Promise<Refusal> {
    return this.payments.offer(this.purchase());
  }

  headerOf({ details }: Refusal): unknown {
    return decodeBase64Json((details.headers as { readonly [name: string]: string })['PAYMENT-REQUIRED']);
  }

  story({ paymentId }: PaymentPayload): string[] {
    return this.log.of(`payment-${paymentId}`).map(({ type }) => type);
  }

  accepted({ paymentId }: PaymentPayload): unknown {
    return this.log.of(`payment-${paymentId}`)[0]!.data;
  }

  async contracts(): Promise<string[]> {
    const { escrow, collector } = ESCROW_CONTRACTS['v1.1'];
    return [escrow, collector, await this.store(), BASE.asset, ZeroAddress];
  }

  async balances() {
    const holders = [this.payer.address, this.receiver, await this.store(), await this.store('v1.0')];
    const balances = await Promise.all(holders.map(each => this.token.balanceOf(each)));
    return { payer: balances[0]!, receiver: balances[1]!, store: balances[2]! + balances[3]! };
  }

  /** Funds an escrow and writes `EscrowFunded`, as the life of a hire does. */
  async fund(terms: Terms = {}): Promise<PaymentPayload> {
    const payload = await this.pay(terms);
    await this.buy(payload, terms);
    await this.recordFunding(payload);
    return payload;
  }

  async recordFunding(payload: PaymentPayload): Promise<void> {
    const { escrow } = this.accepted(payload) as { readonly escrow: { readonly capture_deadline: number } };
    const chain = { capture_deadline: escrow.capture_deadline * SECOND_MS, ...settledIn(this.log, payload) };
    await this.write('EscrowFunded', { ...PARTIES, payment: payload.paymentId, ...escrow, ...chain });
  }

  decide({ paymentId: payment }: PaymentPayload, to: 'worker' | 'poster', reason: string): Promise<void> {
    return this.write('EscrowDecided', { payment, to, reason, ...PARTIES });
  }

  /** Types of the events that end an escrow, and the reason of its end. */
  end({ paymentId }: PaymentPayload) {
    const events = this.log.of(`escrow-${paymentId}`).filter(({ type }) => type !== 'EscrowSecured');
    const { reason, tx } = (events.at(-1)?.data ?? {}) as { readonly reason?: string; readonly tx?: string };
    return { types: events.map(({ type }) => type), reason, tx };
  }

  /** Makes a contract call of the payer, for example a reclaim. */
  async callAsPayer(name: string, { paymentId }: PaymentPayload): Promise<void> {
    const [accepted] = await this.journal.read(`payment-${paymentId}`);
    const { contracts, info } = signedPayment(accepted as PaymentAcceptedEvent).escrow!;
    await this.provider.send('anvil_setBalance', [this.payer.address, toBeHex(10n ** 18n)]);
    const contract = new Contract(contracts.escrow, EscrowDouble11.abi, this.payer.connect(this.provider));
    await (await contract.getFunction(name)(info)).wait();
  }

  private async write(type: string, data: JsonObject): Promise<void> {
    const stream = `hire-${(this.hires += 1)}`;
    const context = serviceContext({
      at: this.clock.now(),
      cause: stream,
      decidedBy: 'test@1',
      reason: 'a test',
      integers,
    });
    const events = newEvents([{ type, version: 1, data }], stream, context);
    await this.log.append(stream, 'none', events as never);
  }

  private async store(version: EscrowVersion = 'v1.1'): Promise<string> {
    const data = ESCROW.encodeFunctionData('getTokenStore', [this.operator]);
    const { results } = await this.chain.view([{ to: ESCROW_CONTRACTS[version].escrow, data }]);
    return parseAddress(results[0]);
  }

  request(payload: PaymentPayload | null): PaidRequest {
    const nonce = `nonce-${(this.requests += 1)}`;
    const context = commandContext(MUSE, { at: Date.now(), requestKey: `${MUSE}/${nonce}`, cause: nonce });
    const requestKeys = [{ value: `nonce/${MUSE}/${nonce}`, museId: MUSE }];
    return { endpoint: ENDPOINT, fields: {}, context, payload, requestKeys };
  }

  private effect(): Effect {
    return {
      endpoint: ENDPOINT,
      apply: async ({ accepted: { data } }) =>
        this.outcome === 'applied' && !this.voids.has(data.payment)
          ? { outcome: 'applied' }
          : { outcome: 'void', reason: 'forgotten', basedOn: {} },
      answer: async () => ({ body: { done: true }, position: LOG_START }),
    };
  }
}
