import { Claims } from '#libs/claims/claims.js';
import { ClaimStreams } from '#libs/claims/claim-streams.js';
import { ClaimLost, Muse } from '#libs/domain/muse.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import type { CommandContext, CommandResult } from '#libs/kernel/decide.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { Refusal } from '#libs/kernel/refusal.js';
import type { Step } from '#libs/payments/payment-machine.js';
import { Payments, type PaymentsDependencies } from '#libs/payments/payments.js';
import type { Effect, PaidRequest, Purchase, SettledPaymentState } from '#libs/payments/purchase.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { verificationSubject } from '#libs/payments/verification.js';
import { RAILS } from '#libs/payments/rails.js';
import type { PaymentPayload } from '#libs/payments/payment-payload.js';
import { FakeChain } from '../../doubles/fake-chain.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';
import { MemoryLog } from '../../doubles/memory-log.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { TestClock } from '../../doubles/test-clock.js';
import { commandContext, integers } from '../../given.js';
import { Payer } from './payer.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

export const MUSE = 'agent_0123456789';
const SERVICE = '0x1111111111111111111111111111111111111111';
export const RAIL = RAILS[1]!;

/** Limits of the retries in `insist`. */
const INSISTED_MAX = 10;
const COME_BACK_MS = 2_000;
const COME_BACK = /settlement_|payments_unavailable|cannot be reached/;

/** Runs payment processes on doubles of all external systems. */
export class Bench {
  readonly clock = new TestClock();
  readonly log = new MemoryLog();
  readonly coordination = new MemoryCoordination();
  readonly chain: FakeChain;
  readonly reported: unknown[] = [];
  readonly payer = new Payer('payer');
  readonly integers = integers;
  readonly journal = new Journal(this.log, new Codec(new MuseKeys(new MemoryVault()), EVENT_TYPES));
  readonly claims = new Claims(this.journal, new ClaimStreams(Buffer.alloc(32, 2)), this.clock);
  outcome: 'applied' | 'void' = 'applied';
  /** Reason why the effect refuses the payment. */
  refuses: Refusal | null = null;
  /** Whether a lost payment reverts the effect. */
  undoes = false;
  private processes = 0;
  private nonces = 0;

  constructor(rail: Partial<Pick<Rail, 'confirmations' | 'finality'>> = {}) {
    this.chain = new FakeChain(this.clock, { ...RAIL, ...rail });
    this.chain.balances.set(this.payer.address, 10_000_000n);
  }

  process(parts: Partial<PaymentsDependencies> = {}): Payments {
    const { journal, claims, coordination, clock, integers, chain } = this;
    const sleep = async (ms: number) => void (this.clock.advance(ms), await new Promise(setImmediate));
    return new Payments({
      journal,
      claims,
      coordination,
      clock,
      integers,
      sleep,
      chains: [chain],
      effects: [this.effect()],
      offers: { baseUrl: 'https://jobs.example', v1Rails: 'registry' },
      signer: { signJws: payload => Promise.resolve(canonicalJson(payload)) },
      log: this.log,
      holder: `process-${(this.processes += 1)}`,
      report: error => this.reported.push(error),
      ...parts,
    });
  }

  purchase(changed: Partial<Purchase> = {}): Purchase {
    return {
      path: '/api/verify',
      description: 'A verified wallet.',
      amount: 1_000_000n,
      payTo: SERVICE,
      rails: RAILS,
      things: [verificationSubject(MUSE)],
      owner: Muse.streamName(MUSE),
      subject: null,
      ...changed,
    };
  }

  pay(payer = this.payer, changed: Parameters<Payer['pay']>[3] = {}): Promise<PaymentPayload> {
    return payer.pay(this.purchase(), RAIL, this.clock.now(), changed);
  }

  request(
    presented: PaymentPayload | null,
    changed: Partial<PaidRequest> = {},
    nonce = `nonce-${(this.nonces += 1)}`,
  ): PaidRequest {
    const fields = { wallet: this.payer.address };
    return {
      endpoint: 'verify',
      fields,
      context: this.context(nonce),
      payload: presented,
      requestKeys: [{ value: `nonce/${MUSE}/${nonce}`, museId: MUSE }],
      ...changed,
    };
  }

  buy(payments: Payments, request: PaidRequest, changed: Partial<Purchase> = {}): Promise<CommandResult> {
    return payments.buy(request, async () => this.purchase(changed));
  }

  story({ paymentId }: PaymentPayload): string[] {
    return this.log.of(`payment-${paymentId}`).map(({ type }) => type);
  }

  get effects(): number {
    return this.log.of(Muse.streamName(MUSE)).length;
  }

  private context(nonce: string): CommandContext {
    return commandContext(MUSE, {
      at: this.clock.now(),
      requestKey: `${MUSE}/${nonce}`,
      cause: nonce,
      decidedBy: 'job@1',
      authorization: { mode: 'bearer', token: '0123456789abcdef', endpoint: 'job', sealed: { fields: { nonce } } },
    });
  }

  private effect(): Effect {
    return {
      endpoint: 'verify',
      apply: async (payment, context) => {
        if (this.refuses) throw this.refuses;
        if (this.outcome === 'void') return { outcome: 'void', reason: 'forgotten', basedOn: {} };
        await this.handOver(payment, context);
        return { outcome: 'applied' };
      },
      onReverted: async (payment, context) => {
        if (!this.undoes) return false;
        const { events } = await executeCommand(this.journal, context, {
          writes: Muse.source(MUSE),
          decide: () => [ClaimLost({ claim: `undone ${payment.tx}` })],
        });
        return events.length > 0;
      },
      answer: async (payment, context) => ({
        body: { verified: true },
        position: (await this.handOver(payment, context)).position,
      }),
    };
  }

  private handOver({ tx }: SettledPaymentState, context: CommandContext) {
    const decide = () => [ClaimLost({ claim: tx })];
    return executeCommand(this.journal, context, { writes: Muse.source(MUSE), decide });
  }
}

/** Works at one step only. */
export const at = (name: Step['do'], work: () => unknown) => (step: Step) => void (step.do === name && work());

/** Retries a request as a client does after a retryable error. */
export async function insist(bench: Bench, payments: Payments, request: PaidRequest): Promise<CommandResult> {
  for (let tries = 0; tries < INSISTED_MAX; tries += 1) {
    try {
      return await bench.buy(payments, request);
    } catch (error) {
      if (!COME_BACK.test(`${(error as { code?: string }).code} ${String(error)}`)) throw error;
      bench.clock.advance(COME_BACK_MS);
    }
  }
  throw new Error('It never ended.');
}
