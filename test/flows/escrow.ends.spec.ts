import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { ESCROW } from '#libs/payments/escrow-abi.js';
import { applyForEscrow, fundHire, hireWithEscrow } from '../escrow-payment.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { Reorganisation } from '../reorganisation.js';
import { cancelAuthorization } from '../third-party.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { operatorBeside } from './operator-beside.js';

const RAIL = 'usdc-base';
const FINALITY = 40;
const REASON = 'No time for it any more.';
const VOID = ESCROW.getFunction('void')!.selector;
const TERMS = { work_days: '1', review_days: '1' };

const world = useWorld({ settings: { BASE_FINALITY: String(FINALITY) } });
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('poster', 'worker');
});

let allow: () => void = () => undefined;
afterEach(() => allow());

/** Lets calls revert as with a blacklisted account, until `allow`. */
function refuseCalls(selector: string): void {
  const chain = world.service.chains.chains.find(({ rail }) => rail.name === RAIL)!;
  const simulate = chain.simulate.bind(chain);
  allow = () => void (chain.simulate = simulate);
  chain.simulate = call =>
    call.data.startsWith(selector) ? Promise.resolve('Blacklistable: account is blacklisted') : simulate(call);
}

const types = (hire: string) => world.eventTypes(`hire-${hire}`);

const escrowOf = async (hire: string) => (await world.hireOf(worker, hire))['escrow'] as JsonObject;
const isIn = (hire: string, status: string) => waitUntil(async () => (await escrowOf(hire))['status'] === status);

test('a return that reverts is stuck and listed, and is tried again the next day', async () => {
  refuseCalls(VOID);
  const { hire } = await hireWithEscrow(poster, worker, TERMS);
  await worker.ok('end_hire', { hire, reason: REASON });
  await isIn(hire, 'stuck');
  const { ok, json } = await operatorBeside(world, ['escrows']);
  expect(ok).toBe(false);
  const { escrows } = json as unknown as { readonly escrows: readonly JsonObject[] };
  expect(escrows).toContainEqual(expect.objectContaining({ hire: Number(hire), status: 'stuck' }));
  allow();
  expect(await escrowOf(hire)).toMatchObject({ status: 'stuck' });
  await world.advance(DAY_MS);
  await isIn(hire, 'returned');
  expect(await escrowOf(hire)).toMatchObject({ reason: 'ended' });
  expect((await operatorBeside(world, ['escrows'])).ok).toBe(true);
});

test('a hire whose funding a reorganisation took back ends, and its seat is free', async () => {
  const token = world.token(RAIL);
  const fields = await applyForEscrow(poster, worker, TERMS);
  const chain = await Reorganisation.of(token);
  const hire = textOf(await fundHire(poster, fields), 'hire');
  const { data } = (await world.events()).findLast(({ type }) => type === 'PaymentAccepted')!;
  await chain.revert();
  await cancelAuthorization(token, RAIL, poster.wallet, (data as { readonly nonce: string }).nonce);
  await chain.mine(FINALITY);
  await waitUntil(async () => (await world.eventTypes(`job-${fields.role}`)).includes('SeatFreed'));
  expect(await types(hire)).toEqual(['Hired', 'EscrowFunded', 'EscrowClosed', 'HireEnded']);
  expect(await escrowOf(hire)).toMatchObject({ status: 'lost' });
});
