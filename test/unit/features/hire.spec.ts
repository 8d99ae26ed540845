import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { describe, expect, jest, test } from '@jest/globals';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Hire as HireEntity } from '#libs/features/hires/domain/hire.js';
import { Linked, Muse } from '#libs/domain/muse.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { CompleteHire } from '#libs/features/hires/complete-hire.js';
import { FreeSeat } from '#libs/features/hires/free-seat.js';
import { hire } from '#libs/features/hires/hire.js';
import type { Fact } from '#libs/kernel/event.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import { asEvents, given, NOW, stateOf } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { decides, join, running, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, STRANGER, WORKER } = world;

interface Around {
  readonly worker?: Fact[];
  readonly wage?: string;
  readonly wage_usd?: string;
  readonly terms_digest?: string;
  readonly application?: Fact[];
  readonly taken?: Fact[];
}

const committed = (ask: string, ask_salt = '08'.repeat(32)) => ({
  ask_salt,
  ask_commitment: computeCommitment(ask_salt, ask),
});

const present = [world.registered, world.joined];

const by = (
  actor = POSTER,
  { application = [world.applied()], taken = [], worker = present, ...wage }: Around = {},
) => {
  const reads = {
    application: stateOf(Application, ...application),
    taken: stateOf(HireEntity, ...taken),
    worker: stateOf(Muse, ...worker),
  };
  return decides(hire, { role: ROLE, to: WORKER, ...wage }, actor, { reads, changed: { ids: { id: () => HIRE } } });
};

const open = [world.plainJob()];
const paid = [world.jobPosted({ seats: 2 })];
const asks = { ask: '9000000', ask_usd: '9', ...committed('9000000') };
const asking = [world.told('Applied', asks)];
const pays = (wage: object) => ({ ...(world.jobPosted().data as { budget: object }).budget, ...wage });
const hired = [...open, world.seatFilled(), world.jobClosed('filled')];
const full = [...open, world.seatFilled(STRANGER), world.jobClosed('filled')];
const OTHER = '0'.repeat(64);
const expired = [world.plainJob({ expires_at: NOW })];
const linked = [...present, Linked({ muse_id: WORKER, to: STRANGER }) as Fact];

describe('hiring', () => {
  const pinned = { terms_digest: expect.stringMatching(/^[0-9a-f]{64}$/), terms_revision: 0 };
  testDecisions(Job, { SeatFilled: { applied_at: NOW, ask_salt: null, item: expect.any(Number), ...pinned } }, [
    ['records the terms of the job and the application', [world.jobPosted({ seats: 2 })], by(), { SeatFilled: {} }],
    ['closes the role with its last seat', open, by(), { SeatFilled: { budget: null, wage: null }, JobClosed: {} }],
    [
      'takes the ask of the applicant as the wage and reveals its salt',
      paid,
      by(POSTER, { application: asking, wage_usd: '9' }),
      { SeatFilled: { wage: pays({ amount: '9000000', usd: '9' }), ask_salt: asks.ask_salt } },
    ],
    ['takes the budget as the wage without an ask', paid, by(POSTER, { wage: '10000000' }), { SeatFilled: {} }],
    ['changes nothing if the muse is already hired', [world.plainJob({ seats: 2 }), world.seatFilled()], by(), {}],
    ['changes nothing if that hire closed the role', hired, by(), {}],
  ]);

  testRefusals(Job, [
    ['for an unknown role', [], by(), 'not_found', 'role'],
    ['unless the poster hires', open, by(STRANGER), 'not_the_poster'],
    ['to a muse for a house role', [world.houseJob()], by(STRANGER), 'not_the_poster'],
    ['as full rather than closed in a full role', full, by(), 'no_seats'],
    ['in a filled role that was closed for good', [...full, world.jobClosed()], by(), 'role_closed'],
    ['in a closed role with free seats', [...open, world.jobClosed()], by(), 'role_closed'],
    ['in an expired role', expired, by(), 'role_closed'],
    ['for a muse without an application', open, by(POSTER, { application: [] }), 'not_an_applicant', 'to'],
    [
      'at the budget if the applicant asks for less',
      paid,
      by(POSTER, { application: asking, wage_usd: '10' }),
      'ask_changed',
    ],
    ['at another wage once hired', [...paid, world.seatFilled()], by(POSTER, { wage_usd: '9' }), 'ask_changed'],
    ['at a wage for a free job', open, by(POSTER, { wage_usd: '9' }), 'ask_changed'],
    ['for other terms', open, by(POSTER, { terms_digest: OTHER }), 'terms_changed', 'terms_digest'],
    ['for other terms once hired', hired, by(POSTER, { terms_digest: OTHER }), 'terms_changed', 'terms_digest'],
    ['at two wages', paid, by(POSTER, { wage: '1', wage_usd: '1' }), 'wage', 'wage'],
    ['at no wage', paid, by(POSTER, { wage_usd: '0' }), 'wage_usd', 'wage_usd'],
    [
      'at an ask above a budget that was lowered',
      [world.houseJob({ budget: pays({ amount: '1' }) })],
      by(SYSTEM_ACCOUNT_ID, { application: asking }),
      'ask_above_budget',
    ],
    ['for a linked muse', open, by(POSTER, { worker: linked }), 'not_an_applicant', 'to'],
  ]);

  test('throws if the hire id is taken', () => {
    given(Job, ...open)
      .when(by(POSTER, { taken: [world.hired()] }))
      .thenThrows(IdCollision);
  });
});

describe('the hire command', () => {
  async function storesWithApplicants(...applicants: string[]) {
    const stores = await InMemoryStores.with(Job.streamName(ROLE), ...open);
    for (const muse of applicants) {
      await stores.append(Muse.streamName(muse), ...present);
      await stores.append(Application.streamName(ROLE, muse), world.applied(muse));
    }
    // The documents hold no application that was read.
    const documents = { of: () => ({ get: async () => undefined }) };
    const models = { waitForAnswered: async () => documents } as unknown as ReadModels;
    const [completeHire, freeSeat] = [new CompleteHire(stores.journal), new FreeSeat(stores.journal)];
    const run = running(hire, stores, { journal: stores.journal, completeHire, freeSeat, models });
    const hireBy = (actor: string, to: string) => run({ role: ROLE, to }, stores.request(actor));
    return { stores, run, hireBy };
  }

  const leaves = ({ journal }: InMemoryStores) => {
    const stream = Muse.streamName(WORKER);
    return journal.append(stream, present.length - 1, asEvents([world.forgotten()], stream));
  };

  test('fills the seat in the job’s stream, then opens the hire’s own stream', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    const { body, position } = await hireBy(POSTER, WORKER);
    const [opened] = stores.log.of(HireEntity.streamName(body['hire'] as number));
    const seat = stores.log.of(Job.streamName(ROLE))[1]!;
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted', 'SeatFilled', 'JobClosed']);
    expect(opened).toMatchObject({ type: 'Hired', cause: seat.id, at: seat.at, actor: POSTER, position });
    expect(opened!.authorization).toEqual(seat.authorization);
  });

  test('returns the same response if the muse is already hired', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    const first = await hireBy(POSTER, WORKER);
    expect(await hireBy(POSTER, WORKER)).toEqual(first);
    expect(stores.log.events.filter(({ type }) => type === 'Hired')).toHaveLength(1);
  });

  test('makes one of two concurrent hires, and the other finds no seat', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER, STRANGER);
    const outcomes = await Promise.allSettled([hireBy(POSTER, WORKER), hireBy(POSTER, STRANGER)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'no_seats' } });
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted', 'SeatFilled', 'JobClosed']);
  });

  test('refuses an erased muse, even before its application is withdrawn', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    await leaves(stores);
    await expect(hireBy(POSTER, WORKER)).rejects.toMatchObject({ code: 'not_an_applicant' });
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted']);
  });

  test('returns the same response for a hired muse that was erased later', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    const { body } = await hireBy(POSTER, WORKER);
    await leaves(stores);
    expect(await hireBy(POSTER, WORKER)).toMatchObject({ body });
  });

  test('is completed by the same request after a crash between its streams', async () => {
    const { stores, run } = await storesWithApplicants(WORKER);
    const sent = { role: ROLE, to: WORKER };
    const request = stores.request(POSTER);
    await join(stores, POSTER);
    stores.log.faults.plan('append', null, 'lost');
    const { body } = await run(sent, request);
    const stream = HireEntity.streamName(body['hire'] as number);
    expect(stores.types(stream)).toEqual([]);
    expect((await run(sent, request)).body).toMatchObject({ hire: body['hire'] });
    expect(stores.types(stream)).toEqual(['Hired']);
  });

  test('the hire command writes the same event as the reaction', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    const { body } = await hireBy(POSTER, WORKER);
    const seat = (await stores.journal.read(Job.streamName(ROLE)))[1]!;
    await new CompleteHire(stores.journal).complete(seat as never);
    expect(stores.types(HireEntity.streamName(body['hire'] as number))).toEqual(['Hired']);
  });

  test('and the reaction write once if they run at the same time', async () => {
    const { stores } = await storesWithApplicants();
    const stream = Job.streamName(ROLE);
    const [seat] = await stores.journal.append(stream, 0, asEvents([world.seatFilled()], stream));
    const complete = new CompleteHire(stores.journal);
    const append = jest.spyOn(stores.log, 'append');
    const reaction = complete.react(seat as never);
    await new Promise(resolve => setTimeout(resolve, 20));
    await complete.complete(seat as never);
    await reaction;
    expect(append).toHaveBeenCalledTimes(1);
    expect(stores.types(HireEntity.streamName(HIRE))).toEqual(['Hired']);
  });

  test('the hire command is completed by the reaction after a crash between its streams', async () => {
    const { stores } = await storesWithApplicants();
    const stream = Job.streamName(ROLE);
    const [seat] = await stores.journal.append(stream, 0, asEvents([world.seatFilled()], stream));
    await new CompleteHire(stores.journal).react(seat as never);
    expect(stores.types(HireEntity.streamName(HIRE))).toEqual(['Hired']);
  });
});
