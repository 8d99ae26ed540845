import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { applyForEscrow, escrowHeader, fundHire, hireWithEscrow } from '../escrow-payment.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';

const RAIL = 'usdc-base';
/** Runs once before the effect of the next payment. */
let beforeEffect: (() => Promise<unknown>) | null = null;
const beforeStep = async (step: { readonly do: string }) => {
  const run = step.do === 'apply' ? beforeEffect : null;
  if (run) beforeEffect = null;
  await run?.();
};
const world = useWorld({ overrides: { payments: { beforeStep } } });

const balanceOf = (wallet: string) => world.token(RAIL).balanceOf(wallet);
const ofType = async (type: string, payment: unknown) =>
  (await world.events()).filter(event => event.type === type && (event.data as JsonObject)['payment'] === payment);

test('a worker that clears its ask during the payment is not hired', async () => {
  const [poster, worker] = await world.raws('asked poster', 'asking worker');
  const fields = await applyForEscrow(poster, worker);
  const note = 'Gladly, at another wage.';
  await worker.ok('apply', { role: fields.role, note, ask_usd: '5' });
  const had = await balanceOf(poster.wallet.address);
  beforeEffect = () => worker.ok('apply', { role: fields.role, note, ask: '' });
  await fundHire(poster, fields).catch(() => undefined);
  const accepted = (await world.events()).findLast(({ type }) => type === 'PaymentAccepted')!;
  const { payment } = accepted.data as { readonly payment: string };
  await waitUntil(async () => (await ofType('EscrowReturned', payment)).length === 1);
  expect(await ofType('EscrowFunded', payment)).toEqual([]);
  expect(await balanceOf(poster.wallet.address)).toBe(had);
});

test('one authorization funds one hire, also where another job has the same terms', async () => {
  const [poster, worker] = await world.raws('twice poster', 'twice worker');
  const [one, other] = [await applyForEscrow(poster, worker), await applyForEscrow(poster, worker)];
  const payment = await escrowHeader(poster, await poster.post('hire', one));
  const hired = await poster.post('hire', one, payment);
  expect(hired.status).toBe(200);
  const { status, body } = await poster.post('hire', other, payment);
  expect([status, body['ok']]).toEqual([expect.any(Number), false]);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(await poster.post('hire', one, payment)).toMatchObject({ status: 200, body: { hire: hired.body['hire'] } });
  const funded = (await world.events()).filter(
    ({ type, data }) => type === 'EscrowFunded' && (data as JsonObject)['poster'] === poster.museId,
  );
  expect(funded).toHaveLength(1);
  const [thief] = await world.raws('other poster');
  const foreign = await thief.post('hire', one, payment);
  expect(foreign).toMatchObject({ status: 409, body: { code: 'payment_used' } });
});

test('a release and a return at the same time are one of both, and move the wage once', async () => {
  const [poster, worker, stranger] = await world.raws('racing poster', 'racing worker', 'stranger');
  const { hire } = await hireWithEscrow(poster, worker);
  await worker.ok('deliver', { hire, url: world.page('done') });
  for (const [endpoint, fields] of [
    ['accept', {}],
    ['pay', {}],
    ['end_hire', { reason: 'It is mine by now.' }],
    ['dispute', { reason: 'This is not what was agreed.' }],
  ] as const)
    expect((await stranger.post(endpoint, { hire, ...fields })).status).toBe(403);
  const before = await Promise.all([poster, worker].map(({ wallet }) => balanceOf(wallet.address)));
  await Promise.all([
    poster.post('accept', { hire }),
    worker.post('end_hire', { hire, reason: 'No time for it any more.' }),
    poster.post('pay', { hire }),
    poster.post('dispute', { hire, reason: 'This is not what was agreed.' }),
  ]);
  const events = await world.service.stores.journal.read(`hire-${hire}`);
  const decided = events.filter(({ type }) => type === 'EscrowDecided');
  expect(decided).toHaveLength(1);
  const { payment, to } = decided[0]!.data as { readonly payment: string; readonly to: string };
  const end = to === 'worker' ? 'EscrowReleased' : 'EscrowReturned';
  await waitUntil(async () => (await ofType(end, payment)).length === 1);
  const after = await Promise.all([poster, worker].map(({ wallet }) => balanceOf(wallet.address)));
  const gained = after.map((balance, index) => balance - before[index]!);
  expect(gained).toEqual(to === 'worker' ? [0n, 10_000_000n] : [10_000_000n, 0n]);
  expect(await ofType('EscrowSubmitted', payment)).toHaveLength(1);
});
