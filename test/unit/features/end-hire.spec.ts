import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { endHire } from '#libs/features/hires/end-hire.js';
import { type HireEndedEvent, FreeSeat } from '#libs/features/hires/free-seat.js';
import type { Fact } from '#libs/kernel/event.js';
import { NOW } from '../../given.js';
import type { InMemoryStores } from '../in-memory-stores.js';
import { decides, join, running, storesWithHire, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, STRANGER, WORKER } = world;
const sent = { hire: String(HIRE), reason: 'It is not needed now.' };
const by = (actor: string) => decides(endHire, sent, actor);

const hired = [world.hired()];
const ended = [...hired, world.hireEnded()];
const delivered = [...hired, world.delivered()];

describe('ending a hire', () => {
  const parties = { hire: HIRE, role: ROLE, poster: POSTER, worker: WORKER };
  testDecisions(Hire, {}, [
    ['works for the poster', hired, by(POSTER), { HireEnded: { ...parties, by: POSTER, reason: sent.reason } }],
    ['works for the worker', hired, by(WORKER), { HireEnded: { ...parties, by: WORKER, reason: sent.reason } }],
    ['again by the poster changes nothing', ended, by(POSTER), {}],
    ['again by the worker changes nothing', ended, by(WORKER), {}],
  ]);

  testRefusals(Hire, [
    ['on a hire that does not exist', [], by(POSTER), 'not_found', 'hire'],
    ['to a muse that is not a party', hired, by(STRANGER), 'not_a_party'],
    ['after a delivery', delivered, by(POSTER), 'delivered_already'],
    ['after the payment', [...delivered, world.paid], by(POSTER), 'delivered_already'],
  ]);
});

describe('the seat of an ended hire', () => {
  const filled = [world.plainJob(), world.seatFilled(), world.jobClosed('filled')];

  async function storesWithJob(...facts: Fact[]) {
    const stores = await storesWithHire(world.hired());
    await stores.append(Job.streamName(ROLE), ...facts);
    for (const muse of [POSTER, WORKER]) await join(stores, muse);
    const freeSeat = new FreeSeat(stores.journal);
    return { stores, end: running(endHire, stores, { freeSeat }) };
  }

  const freed = (stores: InMemoryStores) =>
    stores.log.of(Job.streamName(ROLE)).find(({ type }) => type === 'SeatFreed');

  test('is freed, and a role closed as filled opens again', async () => {
    const { stores, end } = await storesWithJob(...filled);
    const { body, position } = await end(sent, stores.request(WORKER));
    expect(body).toEqual({ hire: HIRE, ended: { at: NOW, by: WORKER, reason: sent.reason } });
    const ended = stores.log.of(Hire.streamName(HIRE)).at(-1)!;
    expect(freed(stores)).toMatchObject({ position, cause: ended.id, actor: WORKER, at: ended.at });
    expect(freed(stores)).toMatchObject({ data: { hire: HIRE, worker: WORKER, reopens: true } });
    expect(freed(stores)!.based_on).toEqual({ [Hire.streamName(HIRE)]: ended.revision, [Muse.streamName(WORKER)]: 1 });
  });

  test('is freed without opening a role that its poster closed', async () => {
    const { stores, end } = await storesWithJob(world.plainJob({ seats: 2 }), world.seatFilled(), world.jobClosed());
    await end(sent, stores.request(POSTER));
    expect(freed(stores)).toMatchObject({ data: { reopens: false } });
  });

  test('is freed without opening a house role that now has fewer seats', async () => {
    const both = [world.seatFilled(), world.told('SeatFilled', { worker: 'agent_another000', hire: HIRE + 1 })];
    const fewer = world.told('JobUpdated', { role: ROLE, seats: 1, reopens: false });
    const closed = world.jobClosed('filled');
    const { stores, end } = await storesWithJob(world.plainJob({ seats: 2 }), ...both, closed, fewer);
    await end(sent, stores.request(WORKER));
    expect(freed(stores)).toMatchObject({ data: { reopens: false } });
  });

  test('is freed once by a repetition, another request and the reaction', async () => {
    const { stores, end } = await storesWithJob(...filled);
    const request = stores.request(WORKER);
    const first = await end(sent, request);
    expect(await end(sent, request)).toEqual(first);
    expect(await end(sent, stores.request(POSTER))).toEqual(first);
    const [ended] = (await stores.journal.read(Hire.streamName(HIRE))).slice(-1);
    expect(await new FreeSeat(stores.journal).free(ended as HireEndedEvent)).toBe(first.position);
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired', 'HireEnded']);
    expect(stores.types(Job.streamName(ROLE)).slice(3)).toEqual(['SeatFreed']);
  });

  test('is not freed if a new hire of the same worker took it', async () => {
    const another = world.told('SeatFilled', { hire: HIRE + 1 });
    const { stores, end } = await storesWithJob(world.plainJob(), another);
    await end(sent, stores.request(WORKER));
    expect(freed(stores)).toBeUndefined();
  });

  test('is free for a command that was refused before the reaction freed it', async () => {
    const { stores, end } = await storesWithJob(...filled);
    const freeSeat = new FreeSeat(stores.journal);
    expect(await freeSeat.freeEnded(ROLE)).toBe(false);
    await end(sent, stores.request(WORKER));
    expect(await freeSeat.freeEnded(ROLE)).toBe(true);
  });

  test('is freed by a repetition after a crash between the two events', async () => {
    const { stores, end } = await storesWithJob(...filled);
    const request = stores.request(WORKER);
    stores.log.faults.plan('append', null, 'lost');
    await end(sent, request);
    expect(freed(stores)).toBeUndefined();
    const { position } = await end(sent, request);
    expect(freed(stores)).toMatchObject({ position });
  });
});
