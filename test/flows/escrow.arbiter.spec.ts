import { beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import { applyForEscrow, fundHire, hireWithEscrow } from '../escrow-payment.js';
import type { RawAgent } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { operatorBeside } from './operator-beside.js';

/** Runs once before the effect of the next payment. */
let beforeEffect: (() => Promise<unknown>) | null = null;
async function beforeStep({ do: step }: { readonly do: string }) {
  const run = step === 'apply' ? beforeEffect : null;
  if (run) beforeEffect = null;
  await run?.();
}

const world = useWorld({ overrides: { payments: { beforeStep } } });
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('poster', 'worker');
});

async function newArbiter(name: string): Promise<RawAgent> {
  const arbiter = await world.raw(name);
  await arbiter.buy('verify', { wallet: arbiter.wallet.address });
  return arbiter;
}

/** Hires a worker for a job with an arbiter, and disputes its delivery. */
async function disputeWith(arbiter: RawAgent): Promise<string> {
  const { hire } = await hireWithEscrow(poster, worker, { arbiter: arbiter.museId });
  await worker.ok('deliver', { hire, url: world.page(`done ${hire}`) });
  await poster.ok('dispute', { hire, reason: 'The page is not in French as agreed.' });
  return hire;
}

/** Waits for an event of the hire and returns its data. */
async function eventOf(hire: string, type: string): Promise<object> {
  const find = async () => (await world.newest(`hire-${hire}`, type))?.data as object;
  await waitUntil(async () => (await find()) !== undefined);
  return find();
}

const balanceOf = ({ wallet }: RawAgent) => world.token('usdc-base').balanceOf(wallet.address);

test.each([
  ['held', 'Paid', 'released'],
  ['broke', 'EscrowClosed', 'returned'],
])('the recheck “%s” of the arbiter decides the dispute', async (result, end, status) => {
  const arbiter = await newArbiter(`arbiter ${result}`);
  const hire = await disputeWith(arbiter);
  await world.settle();
  const { body } = await arbiter.ok('inbox');
  expect(body['items']).toContainEqual(expect.objectContaining({ kind: 'arbiter_asked', hire: Number(hire) }));
  const { digest } = (await world.hireOf(poster, hire))['delivery'] as { readonly digest: string };
  await arbiter.ok('recheck', { hire, result, digest, scope: 'Read both pages side by side.' });
  expect(await eventOf(hire, end)).toMatchObject({ hire: Number(hire) });
  expect(await world.hireOf(poster, hire)).toMatchObject({ escrow: { status, reason: 'arbiter' } });
});

test.each([
  ['suspended', (arbiter: RawAgent) => operatorBeside(world, ['suspend', arbiter.museId])],
  ['forgotten', (arbiter: RawAgent) => arbiter.ok('forget', { confirm: arbiter.museId })],
])('a %s arbiter counts as silent, so the wage goes to the worker', async (state, end) => {
  const arbiter = await newArbiter(`arbiter ${state}`);
  const hire = await disputeWith(arbiter);
  await end(arbiter);
  await world.advance(3 * DAY_MS);
  expect(await eventOf(hire, 'EscrowDecided')).toMatchObject({ to: 'worker', reason: 'undecided' });
});

test('the money of a hire that cannot be made any more goes back', async () => {
  const [gone] = await world.raws('worker that is suspended');
  const fields = await applyForEscrow(poster, gone);
  const before = await balanceOf(poster);
  beforeEffect = () => operatorBeside(world, ['suspend', gone.museId]);
  expect((await fundHire(poster, fields)).body).toMatchObject({ paid: true, void: expect.any(String) as unknown });
  const returned = async () =>
    (await world.events()).find(
      ({ type, data }) => type === 'EscrowReturned' && (data as { readonly reason: string }).reason === 'void',
    );
  await waitUntil(async () => (await returned()) !== undefined);
  expect((await returned())!.data).toMatchObject({ poster: poster.museId });
  expect(await balanceOf(poster)).toBe(before);
  expect(await world.eventTypes(`job-${fields.role}`)).toEqual(['JobPosted', 'SeatReserved']);
});

test('the wage of a worker that forgets itself before a delivery goes back', async () => {
  const [forgotten] = await world.raws('worker that forgets');
  const { hire } = await hireWithEscrow(poster, forgotten);
  await forgotten.ok('forget', { confirm: forgotten.museId });
  expect(await eventOf(hire, 'EscrowDecided')).toMatchObject({ to: 'poster', reason: 'ended' });
  expect(await eventOf(hire, 'EscrowClosed')).toMatchObject({ hire: Number(hire) });
});
