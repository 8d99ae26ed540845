import { afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { JsonRpcProvider } from 'ethers';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { DevChain } from '#libs/payments/devchain/dev-chain.js';
import type { PaymentPayload } from '#libs/payments/payment-payload.js';
import { Payments, type PaymentsDependencies } from '#libs/payments/payments.js';
import { cancelAuthorization } from '../third-party.js';
import { Token } from '../token.js';
import { useDevChain } from './dev-chain.js';
import { AMOUNT, BASE } from './escrow.bench.js';
import { EscrowPayments } from './escrow.payments.js';

/** Longer than the leases of a dead process. */
const LEASES_MS = 16 * SECOND_MS;
const PASSES_MAX = 8;
/** A reorganisation of fewer blocks is noticed. */
const FINALITY = 40;

export type Call = 'capture' | 'void';
export const CALLS: readonly Call[] = ['capture', 'void'];

/** Additions to the balances of payer, receiver and token store. */
const MOVED: { readonly [call in Call]: readonly bigint[] } = { capture: [-AMOUNT, AMOUNT, 0n], void: [0n, 0n, 0n] };

/** Processes that share a log, the shared state and a chain with reorganisations, which stays as each test finds it. */
export class EscrowProcesses {
  escrow!: EscrowPayments;
  private before!: readonly bigint[];
  private count = 0;

  constructor(
    readonly dev: DevChain,
    readonly provider: JsonRpcProvider,
  ) {}

  async newEscrow(): Promise<void> {
    this.escrow = await EscrowPayments.start(this.dev, {}, { ...BASE, finality: FINALITY });
    this.before = Object.values(await this.escrow.balances());
  }

  start(parts: Partial<PaymentsDependencies> = {}): Payments {
    const { dependencies } = this.escrow;
    const sleep = (ms: number) => this.pass(ms);
    return new Payments({ ...dependencies, holder: `process-${(this.count += 1)}`, sleep, ...parts });
  }

  async pass(ms = LEASES_MS): Promise<void> {
    this.escrow.clock.aheadMs += ms;
    await new Promise(setImmediate);
  }

  async runUntil(payments: Payments, isOver: () => boolean): Promise<void> {
    for (let count = 0; count < PASSES_MAX && !isOver(); count += 1) {
      await payments.reconcile();
      await this.pass();
    }
  }

  snapshot(): Promise<unknown> {
    return this.provider.send('evm_snapshot', []);
  }

  revert(snapshot: unknown): Promise<unknown> {
    return this.provider.send('evm_revert', [snapshot]);
  }

  /** Keeps transactions pending, or mines them again. */
  async mine(isOn: boolean): Promise<void> {
    await this.provider.send('evm_setAutomine', [isOn]);
    if (isOn) await this.provider.send('evm_mine', []);
  }

  mineUntilFinal(): Promise<unknown> {
    return this.provider.send('anvil_mine', [`0x${(2 * FINALITY).toString(16)}`]);
  }

  /** Moves the clocks of service and chain. */
  async advance(ms: number): Promise<void> {
    await this.pass(ms);
    await this.dev.setClockOffset(this.escrow.clock.aheadMs);
    await this.mineUntilFinal();
  }

  async cancel({ authorization: { nonce } }: PaymentPayload): Promise<void> {
    await cancelAuthorization(new Token(this.dev.rpc['base']!, BASE.name), BASE.name, this.escrow.payer, nonce);
    await this.mineUntilFinal();
  }

  decide(payload: PaymentPayload, call: Call): Promise<void> {
    return call === 'capture'
      ? this.escrow.decide(payload, 'worker', 'accepted')
      : this.escrow.decide(payload, 'poster', 'ended');
  }

  endsOf(payload: PaymentPayload): string[] {
    return this.escrow.end(payload).types.filter(type => type !== 'EscrowSubmitted' && type !== 'EscrowStuck');
  }

  /** Changes of the balances of payer, receiver and token store. */
  async moved(): Promise<bigint[]> {
    const after = Object.values(await this.escrow.balances());
    return after.map((balance, at) => balance - this.before[at]!);
  }
}

export const END_OF: { readonly [call in Call]: string } = { capture: 'EscrowReleased', void: 'EscrowReturned' };
export const movedBy = (call: Call | 'fund') => (call === 'fund' ? [-AMOUNT, 0n, AMOUNT] : MOVED[call]);

export function useEscrowProcesses(): { readonly processes: EscrowProcesses } {
  const { dev, provider } = useDevChain();
  const processes = new EscrowProcesses(dev, provider);
  let first: unknown;
  beforeAll(() => void (dev.mineEmptyBlocks = async () => undefined));
  beforeEach(async () => {
    first = await processes.snapshot();
    await processes.newEscrow();
  });
  afterEach(async () => {
    await processes.mine(true);
    await processes.revert(first);
    await dev.setClockOffset(0);
  });
  return { processes };
}
