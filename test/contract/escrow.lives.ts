import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { PaymentPayload } from '#libs/payments/payment-payload.js';
import type { Payments } from '#libs/payments/payments.js';
import { Random } from '../faults/stores/random.js';
import { Payer } from '../unit/payments/payer.js';
import { AMOUNT, BASE } from './escrow.bench.js';
import type { EscrowProcesses } from './escrow.processes.js';

const KINDS = ['plain', 'accepted', 'ended', 'void'] as const;
type Kind = (typeof KINDS)[number];
const EVENTS = ['nothing', 'death', 'death', 'clock', 'reorganisation', 'reorganisation', 'no block'] as const;
const HOOKS = ['beforeStep', 'afterStep', 'beforeEscrowStep', 'afterEscrowStep'] as const;
const STEPS_UNTIL_DEATH_MAX = 12;
const PASSES_MAX = 30;
/** Shorter than an authorization may take, so that most of the payments of a reorganisation come back. */
const ADVANCE_MS_MAX = 2 * MINUTE_MS;
const POOL_LOOKS_MAX = 200;
const POOL_LOOK_MS = 5;
const LEASES_MS = 16 * SECOND_MS;

export interface Life {
  readonly kind: Kind;
  readonly payload: PaymentPayload;
  isFunded: boolean;
  isDecided: boolean;
}

/** Random lives of escrowed and plain jobs, while processes die, clocks move and blocks disappear. */
export class EscrowLives {
  readonly counts = { deaths: 0, reorganisations: 0 };
  private stepsLeft = Infinity;
  private process = { isDead: false };
  private payments: Payments;

  constructor(
    private readonly processes: EscrowProcesses,
    private readonly random: Random,
    private readonly payer: Payer,
  ) {
    this.payments = this.start();
  }

  async run(count: number): Promise<readonly Life[]> {
    const { random, processes } = this;
    const lives = await Promise.all(Array.from({ length: count }, () => this.begin(random.pick(KINDS))));
    const snapshot = await processes.snapshot();
    const meanwhile = Array.from({ length: Math.floor(random.between(2, 6)) }, () => random.pick(EVENTS));
    for (const life of lives) await this.fund(life);
    for (const event of meanwhile) {
      await this.happen(event, snapshot);
      for (const life of lives) await this.goOn(life);
      await this.pass();
    }
    await processes.mine(true);
    this.stepsLeft = Infinity;
    await this.end(lives);
    return lives;
  }

  /** The last event about the money of a life. */
  endOf({ kind, payload }: Life): string {
    const { escrow } = this.processes;
    const story = escrow.story(payload);
    // A reorganisation that moves a transfer adds another `PaymentSettled`.
    const payment = story.findLast(type => type !== 'PaymentSubmitted' && type !== 'PaymentSettled') ?? 'none';
    if (kind === 'plain' || payment === 'PaymentExpired' || payment === 'PaymentRefused') return payment;
    return this.processes.endsOf(payload).at(-1) ?? payment;
  }

  private async begin(kind: Kind): Promise<Life> {
    const { escrow } = this.processes;
    const payload = kind === 'plain' ? await this.payer.pay(this.wage(), BASE, escrow.clock.now()) : await escrow.pay();
    return { kind, payload, isFunded: false, isDecided: false };
  }

  private wage() {
    const { escrow: _escrow, ...wage } = this.processes.escrow.purchase();
    return wage;
  }

  private async fund(life: Life): Promise<void> {
    const { escrow } = this.processes;
    if (life.kind === 'void') escrow.voids.add(life.payload.paymentId);
    const purchase = life.kind === 'plain' ? this.wage() : escrow.purchase();
    await this.payments.buy(escrow.request(life.payload), async () => purchase).catch(() => undefined);
    await this.replaceDead();
  }

  /** The purchase is repeated until it took effect, and then the life takes its course. */
  private async goOn(life: Life): Promise<void> {
    const { escrow } = this.processes;
    const story = escrow.story(life.payload);
    if (!story.includes('PaymentApplied')) return story.length === 0 ? this.fund(life) : undefined;
    if (life.kind === 'plain' || life.kind === 'void') return;
    if (!life.isFunded) {
      life.isFunded = true;
      await escrow.recordFunding(life.payload);
    } else if (!life.isDecided) {
      life.isDecided = true;
      await this.processes.decide(life.payload, life.kind === 'accepted' ? 'capture' : 'void');
    }
  }

  private async happen(event: (typeof EVENTS)[number], snapshot: unknown): Promise<void> {
    const { processes, random } = this;
    if (event === 'death') this.stepsLeft = random.between(1, STEPS_UNTIL_DEATH_MAX);
    if (event === 'clock') await this.moveClocks(random.between(0, ADVANCE_MS_MAX));
    if (event === 'no block') await processes.mine(false);
    if (event === 'reorganisation') await this.reorganise(snapshot);
  }

  private async reorganise(snapshot: unknown): Promise<void> {
    const { processes } = this;
    await this.emptyPool();
    if (!(await processes.revert(snapshot))) return;
    this.counts.reorganisations += 1;
    await processes.dev.setClockOffset(processes.escrow.clock.aheadMs);
  }

  /** A block that the node makes during the reorganisation would stay, without the state of its transactions. */
  private async emptyPool(): Promise<void> {
    const { processes } = this;
    await processes.mine(true);
    for (let looks = 0; looks < POOL_LOOKS_MAX; looks += 1) {
      const { pending } = (await processes.provider.send('txpool_status', [])) as { readonly pending: string };
      if (BigInt(pending) === 0n) return;
      await sleep(POOL_LOOK_MS);
    }
  }

  /** Makes few blocks, because no reorganisation takes back final ones. */
  private async moveClocks(ms: number): Promise<void> {
    const { processes } = this;
    await processes.pass(ms);
    await processes.dev.setClockOffset(processes.escrow.clock.aheadMs);
  }

  private async end(lives: readonly Life[]): Promise<void> {
    const isOver = (life: Life) => ENDS[life.kind].includes(this.endOf(life));
    for (let passes = 0; passes < PASSES_MAX && !lives.every(isOver); passes += 1) {
      for (const life of lives) await this.goOn(life);
      await this.pass();
      if (passes % 5 === 4) await this.processes.advance(MINUTE_MS);
    }
    await this.processes.mineUntilFinal();
    for (const _ of ['checked', 'again']) await this.pass();
    expect(lives.filter(life => !isOver(life)).map(life => [life.kind, this.endOf(life)])).toEqual([]);
  }

  private async pass(): Promise<void> {
    await this.payments.reconcile();
    await this.replaceDead();
    await this.processes.pass(LEASES_MS);
  }

  private start(): Payments {
    const process = { isDead: false };
    const step = () => {
      this.stepsLeft -= 1;
      process.isDead ||= this.stepsLeft <= 0;
      if (process.isDead) throw new Error('killed');
    };
    this.process = process;
    return this.processes.start(Object.fromEntries(HOOKS.map(name => [name, step])));
  }

  /** Everything that the dead process still does fails. */
  private async replaceDead(): Promise<void> {
    if (!this.process.isDead) return;
    this.counts.deaths += 1;
    this.stepsLeft = Infinity;
    await this.processes.pass(LEASES_MS);
    this.payments = this.start();
  }
}

const NEVER_PAID = ['PaymentExpired', 'PaymentRefused', 'PaymentLost', 'EscrowLost'];
const ENDS: { readonly [K in Kind]: readonly string[] } = {
  plain: ['PaymentApplied', ...NEVER_PAID],
  accepted: ['EscrowReleased', 'EscrowReturned', ...NEVER_PAID],
  ended: ['EscrowReturned', ...NEVER_PAID],
  void: ['EscrowReturned', ...NEVER_PAID],
};

/** Money that each life moved from a payer to the worker, by its end in the log. */
export const paidBy = (end: string) => (end === 'PaymentApplied' || end === 'EscrowReleased' ? AMOUNT : 0n);
