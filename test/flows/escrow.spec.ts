import { beforeAll, describe, expect, test } from '@jest/globals';
import { SALES } from '#libs/service/sales.js';
import { Findings } from '#libs/audit/findings.js';
import { checkPayments } from '#libs/audit/payments-on-chain.js';
import { feedSource } from '#libs/audit/sources/feed.js';
import { verifyLog } from '#libs/audit/verify-log.js';
import { MESSAGE_TAG } from '#libs/client/index.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { applyForEscrow, ESCROWED, escrowHeader, hireWithEscrow } from '../escrow-payment.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { readOffer } from '../x402.js';

const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('poster', 'worker');
});

const deliver = (hire: string, by = worker) => by.ok('deliver', { hire, url: world.page(`done ${hire}`) });
const types = (hire: string) => world.eventTypes(`hire-${hire}`);

const WAGE = 10_000_000n;
const balance = ({ wallet }: RawAgent) => world.token('usdc-base').balanceOf(wallet.address);

async function eventOf(type: string, hire: string) {
  const events = (await world.events()).map(event => ({
    ...event,
    data: event.data as { readonly hire?: number; readonly tx: string; readonly reason: string },
  }));
  return events.find(({ type: each, data }) => each === type && data.hire === Number(hire))!;
}

/** Kinds of the newest items of an inbox, with their hires. */
async function noticesOf(agent: RawAgent) {
  await world.settle();
  const { body } = await agent.ok('inbox');
  return (body['items'] as unknown as JsonObject[]).map(({ kind, hire }) => [kind, hire]);
}

/** Moves the clock, and waits until the service has decided. */
async function decidedAfter(hire: string, ms: number) {
  await world.advance(ms);
  await waitUntil(async () => (await types(hire)).includes('EscrowDecided'));
  return (await world.newest(`hire-${hire}`, 'EscrowDecided'))!.data;
}

describe('funding an escrow', () => {
  test('takes one offer of the scheme auth-capture and fills the seat', async () => {
    const fields = await applyForEscrow(poster, worker);
    const offer = await poster.post('hire', fields);
    expect(offer).toMatchObject({ status: 402, body: { x402Version: 2 } });
    const { accepts } = readOffer(offer);
    expect(accepts).toMatchObject([{ scheme: 'auth-capture', amount: '10000000', payTo: worker.wallet.address }]);
    expect(offer.body['accepts']).toEqual(accepts);
    const days = 7 + 3 * 3 + 10;
    const deadline = Number(accepts[0]!.extra['captureDeadline']);
    expect(Math.abs(deadline - (world.now() + days * DAY_MS) / 1000)).toBeLessThan(60);
    const paid = await poster.post('hire', fields, await escrowHeader(poster, offer));
    expect(paid).toMatchObject({ status: 200, body: { paid: true, hire: expect.any(Number) as unknown } });
    const hire = textOf(paid, 'hire');
    expect(paid.body['position']).toMatchObject({ hire: Number(hire), escrow: { status: 'funded', usd: '10' } });
    expect(await types(hire)).toEqual(['Hired', 'EscrowFunded']);
    expect(await world.hireOf(worker, hire)).toMatchObject({
      escrow: { status: 'funded', amount: '10000000', usd: '10' },
    });
    expect(await poster.post('hire', fields)).toMatchObject({ status: 200, body: { hire: Number(hire), paid: false } });
  });

  test('is found on its chain by an auditor, in the contract for its worker', async () => {
    const { hire } = await hireWithEscrow(poster, worker);
    await world.settle();
    const { facts } = await verifyLog(feedSource(world.url), { tag: MESSAGE_TAG, sales: SALES });
    const payments = facts.acceptedPayments().filter(({ accepted: { data } }) => data.escrow);
    const funded = (await world.events()).find(
      ({ type, stream }) => type === 'EscrowFunded' && stream === `hire-${hire}`,
    );
    const { payment } = funded!.data as { payment: string };
    const paidTo = async (receiver: string) => {
      const findings = new Findings();
      const input = { ...facts, payments, receivers: new Map([[payment, [receiver]]]) };
      await checkPayments(input, new Map(Object.entries(world.service.chains.dev!.rpc)), findings);
      return findings.list.map(({ problem }) => problem);
    };
    expect(await paidTo(worker.wallet.address.toLowerCase())).toEqual([]);
    expect(await paidTo(poster.wallet.address.toLowerCase())).toEqual([
      expect.stringMatching(/^Its transaction 0x\S+ paid 0x\S+, which is not an address of its payee/),
    ]);
  });

  test('is not offered without a signature where it would reveal a payout address', async () => {
    const role = await poster.postJob(ESCROWED);
    await worker.ok('apply', { role, note: 'Gladly.' });
    expect(await send(world.url, '/api/hire', { body: { role, to: worker.museId } })).toMatchObject({ status: 401 });
  });

  test('is refused for a worker without a wallet', async () => {
    const homeless = await world.raw('no wallet');
    await homeless.ok('profile', { payout_address: '' });
    const role = await poster.postJob(ESCROWED);
    await homeless.ok('apply', { role, note: 'Gladly.' });
    const refused = await poster.post('hire', { role, to: homeless.museId });
    expect(refused).toMatchObject({ status: 409, body: { code: 'worker_has_no_wallet' } });
  });
});

describe('the money of an escrow', () => {
  test('goes to the worker after accept, with a receipt as for every wage', async () => {
    const { hire } = await hireWithEscrow(poster, worker);
    await deliver(hire);
    const before = await balance(worker);
    await poster.ok('accept', { hire });
    await waitUntil(async () => (await types(hire)).includes('Paid'));
    expect((await balance(worker)) - before).toBe(WAGE);
    const released = await eventOf('EscrowReleased', hire);
    const { tx, reason } = released.data;
    expect(reason).toBe('accepted');
    const paid = await eventOf('Paid', hire);
    expect(paid).toMatchObject({ cause: released.id, data: { tx, amount: '10000000', delivery: 1 } });
    const position = await world.hireOf(worker, hire);
    expect(position).toMatchObject({ escrow: { status: 'released', tx, reason }, paid: true });
    const { body: again } = await poster.ok('pay', { hire });
    expect(again).toMatchObject({ paid: true, payment: null, receipt: { data: { tx } } });
    for (const party of [poster, worker])
      expect(await noticesOf(party)).toContainEqual(['escrow_released', Number(hire)]);
  });

  test('goes back to the poster, and the hire can be paid as every other one', async () => {
    const { hire } = await hireWithEscrow(poster, worker);
    await deliver(hire);
    await poster.ok('dispute', { hire, reason: 'The page is not in French as agreed.' });
    const before = await balance(poster);
    await decidedAfter(hire, 3 * DAY_MS);
    await waitUntil(async () => (await types(hire)).includes('EscrowClosed'));
    expect((await balance(poster)) - before).toBe(WAGE);
    const { tx } = (await eventOf('EscrowReturned', hire)).data;
    expect(await world.hireOf(worker, hire)).toMatchObject({ escrow: { status: 'returned', tx, reason: 'undecided' } });
    for (const party of [poster, worker])
      expect(await noticesOf(party)).toContainEqual(['escrow_returned', Number(hire)]);
    const { body } = await poster.buy('pay', { hire });
    expect(body).toMatchObject({ paid: true, hire: Number(hire) });
  });
});

test('an identity with an open escrow cannot be linked until it is decided', async () => {
  const { hire } = await hireWithEscrow(poster, worker);
  for (const earlier of [poster, worker]) {
    const [now] = await world.raws(`later than ${earlier.museId}`);
    const refusals = [await now.link(earlier), await earlier.link(now)];
    for (const refused of refusals) expect(refused).toMatchObject({ status: 409, body: { code: 'escrow_open' } });
  }
  await worker.ok('end_hire', { hire, reason: 'No time for it any more.' });
  const [one, two] = await world.raws('poster of an escrow', 'worker of an escrow');
  const decided = await hireWithEscrow(one, two);
  const [now] = await world.raws('later than a worker');
  await two.ok('end_hire', { hire: decided.hire, reason: 'No time for it any more.' });
  expect(await now.link(two)).toMatchObject({ status: 200 });
});

describe('the end of an escrow', () => {
  test('is decided by accept, and not by an unhappy one', async () => {
    const { hire } = await hireWithEscrow(poster, worker);
    await deliver(hire);
    expect(await poster.post('accept', { hire, positive: 'false' })).toMatchObject({
      status: 400,
      body: { field: 'positive' },
    });
    await poster.ok('accept', { hire });
    const accepted = { escrow: { reason: 'accepted' }, acceptance: { by: poster.museId } };
    expect(await world.hireOf(worker, hire)).toMatchObject(accepted);
  });

  test('is decided by pay, which takes no payment', async () => {
    const { hire } = await hireWithEscrow(poster, worker);
    await deliver(hire);
    expect(await poster.post('pay', { hire })).toMatchObject({ status: 200, body: { payment: null } });
    expect(await world.hireOf(worker, hire)).toMatchObject({ escrow: { reason: 'accepted' } });
  });

  test('is a return if nothing is delivered in time, and the seat is free again', async () => {
    const { role, hire } = await hireWithEscrow(poster, worker, { work_days: '2' });
    expect(await decidedAfter(hire, 2 * DAY_MS)).toMatchObject({ to: 'poster', reason: 'not_delivered' });
    expect(await world.hireOf(worker, hire)).toMatchObject({ ended: { by: null, reason: 'not_delivered' } });
    await waitUntil(async () => (await world.eventTypes(`job-${role}`)).includes('SeatFreed'));
    await world.settle();
    expect((await world.read(`/api/role/${role}`))['role']).toMatchObject({ seats_left: 1, status: 'open' });
  });

  test('is a release once the review is over, after a reminder', async () => {
    const { hire } = await hireWithEscrow(poster, worker);
    await deliver(hire);
    await world.advance(2 * DAY_MS + HOUR_MS);
    await waitUntil(async () => (await types(hire)).includes('ReviewEndsSoon'));
    expect(await decidedAfter(hire, DAY_MS)).toMatchObject({ to: 'worker', reason: 'review_over' });
  });
});
