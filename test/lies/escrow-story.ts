import { expect } from '@jest/globals';
import { toBeHex } from 'ethers';
import { reclaim } from '#libs/client/index.js';
import type { Event } from '#libs/kernel/event.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { ESCROW } from '#libs/payments/escrow-abi.js';
import { applyForEscrow, fundHire, hireWithEscrow } from '../escrow-payment.js';
import { operatorBeside } from '../flows/operator-beside.js';
import type { RawAgent } from '../raw-agent.js';
import { Reorganisation } from '../reorganisation.js';
import { cancelAuthorization } from '../third-party.js';
import { waitUntil } from '../wait-until.js';
import { CLEAN, World } from '../world.js';
import { type HonestStory, storyOf } from './honest-story.js';

const RAIL = 'usdc-base';
const FINALITY = 40;
const TERMS = { work_days: '1', review_days: '1' };
const REASON = 'The page is not in French as agreed.';
const VOID = ESCROW.getFunction('void')!.selector;

/** Runs once before the effect of the next payment. */
type BeforeEffect = { run: (() => Promise<unknown>) | null };

/** Hires with each end that an escrow can have. The chain runs until `stop`. */
export class EscrowStory {
  private constructor(
    private readonly world: World,
    readonly story: HonestStory,
  ) {}

  static async tell(): Promise<EscrowStory> {
    const before: BeforeEffect = { run: null };
    const beforeStep = async (step: { readonly do: string }) => {
      const { run } = before;
      if (step.do !== 'apply' || run === null) return;
      before.run = null;
      await run();
    };
    const overrides = { payments: { beforeStep } };
    const world = await World.start({ settings: { BASE_FINALITY: String(FINALITY) }, overrides });
    try {
      const agents = await new Telling(world, before).tell();
      expect(await world.audit()).toEqual(CLEAN);
      return new EscrowStory(world, await storyOf(world, agents));
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  /** Addresses of nodes by the short name of their chain. */
  get rpc(): ReadonlyMap<string, string> {
    return new Map(Object.entries(this.world.service.chains.dev!.rpc));
  }

  stop(): Promise<void> {
    return this.world.stop();
  }
}

class Telling {
  constructor(
    private readonly world: World,
    private readonly before: BeforeEffect,
  ) {}

  async tell(): Promise<readonly RawAgent[]> {
    const { world } = this;
    const names = ['accepted', 'judged', 'awarded', 'ends', 'silent', 'late', 'is taken back', 'is lost'] as const;
    const [poster, arbiter] = await world.raws('secures wages', 'judges');
    const workers = await world.raws(...names);
    const [accepted, judged, awarded, ends, silent, late, reclaimed, lost] = workers;
    await arbiter.buy('verify', { wallet: arbiter.wallet.address });
    await this.release(poster, accepted);
    await this.judge(poster, judged, arbiter);
    await this.award(poster, awarded);
    const { hire } = await hireWithEscrow(poster, ends, TERMS);
    await ends.ok('end_hire', { hire, reason: 'No time for it any more.' });
    await this.waitFor(hire, 'EscrowClosed');
    await this.voidHire(poster, silent);
    await operatorBeside(world, ['reinstate', silent.museId]);
    const byClock = await this.deliver(poster, silent);
    const { hire: returned } = await hireWithEscrow(poster, late, TERMS);
    await world.advance(DAY_MS + HOUR_MS);
    await this.waitFor(byClock, 'Paid');
    await this.waitFor(returned, 'EscrowClosed');
    await this.refuseReturn((await hireWithEscrow(poster, reclaimed, TERMS)).hire, poster);
    await this.lose(poster, lost);
    return [poster, arbiter, ...workers];
  }

  private async waitFor(hire: string, type: string): Promise<void> {
    await waitUntil(async () => (await this.world.eventTypes(`hire-${hire}`)).includes(type));
  }

  private async find(type: string, hire: string): Promise<Event | undefined> {
    const events = await this.world.events();
    return events.find(event => event.type === type && Number((event.data as { hire?: number }).hire) === Number(hire));
  }

  private async deliver(poster: RawAgent, worker: RawAgent, terms: { readonly arbiter?: string } = {}) {
    const { hire } = await hireWithEscrow(poster, worker, { ...TERMS, ...terms });
    await worker.ok('deliver', { hire, url: this.world.page(`done ${hire}`) });
    return hire;
  }

  private async release(poster: RawAgent, worker: RawAgent): Promise<void> {
    const hire = await this.deliver(poster, worker);
    await poster.ok('accept', { hire });
    await this.waitFor(hire, 'Paid');
  }

  private async judge(poster: RawAgent, worker: RawAgent, arbiter: RawAgent): Promise<void> {
    const hire = await this.deliver(poster, worker, { arbiter: arbiter.museId });
    await poster.ok('dispute', { hire, reason: REASON });
    const { digest } = (await this.find('DeliveryRead', hire))!.data as { readonly digest: string };
    await arbiter.ok('recheck', { hire, result: 'held', digest, scope: 'Read both pages side by side.' });
    await this.waitFor(hire, 'Paid');
  }

  private async award(poster: RawAgent, worker: RawAgent): Promise<void> {
    const hire = await this.deliver(poster, worker);
    await poster.ok('dispute', { hire, reason: REASON });
    await operatorBeside(this.world, ['award-escrow', hire, 'poster', '--reason', 'The page is in English.']);
    await this.waitFor(hire, 'EscrowClosed');
  }

  /** The worker is suspended before the hire can be made. */
  private async voidHire(poster: RawAgent, worker: RawAgent): Promise<void> {
    const fields = await applyForEscrow(poster, worker, TERMS);
    this.before.run = () => operatorBeside(this.world, ['suspend', worker.museId]);
    await fundHire(poster, fields);
    await waitUntil(async () => (await this.world.events()).some(({ data }) => isVoidReturn(data)));
  }

  /** The return is refused until the poster takes the money back. */
  private async refuseReturn(refused: string, poster: RawAgent): Promise<void> {
    const { world } = this;
    const chain = world.service.chains.chains.find(({ rail }) => rail.name === RAIL)!;
    const simulate = chain.simulate.bind(chain);
    const funded = (await this.find('EscrowFunded', refused))!.data as { readonly tx: string };
    const salt = await this.saltOf(refused);
    chain.simulate = call =>
      call.data.startsWith(VOID) && call.data.includes(salt)
        ? Promise.resolve('Blacklistable: account is blacklisted')
        : simulate(call);
    await world.advance(DAY_MS + HOUR_MS);
    const has = (type: string) => async () => (await this.find(type, refused)) !== undefined;
    await waitUntil(has('EscrowStuck'));
    await world.advance(14 * DAY_MS);
    const token = world.token(RAIL);
    await token.call('anvil_setBalance', poster.wallet.address, toBeHex(10n ** 18n));
    await reclaim({ tx: funded.tx, rpcUrl: token.rpc, wallet: poster.wallet.privateKey });
    await world.advance(DAY_MS);
    await waitUntil(has('EscrowReturned'));
    chain.simulate = simulate;
  }

  /** Salt of the payment in the hex digits of a call. */
  private async saltOf(hire: string): Promise<string> {
    const { payment } = (await this.find('EscrowFunded', hire))!.data as { readonly payment: string };
    const [accepted] = await this.world.service.stores.journal.read(`payment-${payment}`);
    return (accepted!.data as { readonly escrow_salt: string }).escrow_salt.slice(2);
  }

  /** A reorganisation takes the funding back, and the poster cancels its authorization. */
  private async lose(poster: RawAgent, worker: RawAgent): Promise<void> {
    const token = this.world.token(RAIL);
    const fields = await applyForEscrow(poster, worker, TERMS);
    const chain = await Reorganisation.of(token);
    await fundHire(poster, fields);
    const accepted = (await this.world.events()).findLast(({ type }) => type === 'PaymentAccepted')!;
    await chain.revert();
    await cancelAuthorization(token, RAIL, poster.wallet, (accepted.data as { readonly nonce: string }).nonce);
    await chain.mine(FINALITY);
    await waitUntil(async () => (await this.world.events()).some(({ type }) => type === 'EscrowLost'));
    await waitUntil(async () => (await this.world.events()).at(-1)!.type === 'SeatFreed');
  }
}

const isVoidReturn = (data: unknown) => (data as { readonly reason?: string }).reason === 'void';
