import { describe, expect, test } from '@jest/globals';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { withdraw } from '#libs/features/jobs/withdraw.js';
import type { Fact } from '#libs/kernel/event.js';
import { stateOf } from '../../given.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { decides, running, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { ROLE, STRANGER, WORKER } = world;
const fields = { role: ROLE };
const AGAIN = world.APPLICATION + 1;

const by = (actor: string, ...application: Fact[]) =>
  decides(withdraw, fields, actor, { reads: { application: stateOf(Application, ...application) } });
const byApplicant = by(WORKER, world.applied());
const byRepeatedApplicant = by(WORKER, world.applied(), world.told('Applied', { item: AGAIN }));
const open = [world.plainJob()];
const withdrawn = [...open, world.withdrawn()];
const hired = [world.plainJob({ seats: 2 }), world.seatFilled()];

describe('withdrawing an application', () => {
  testDecisions(Job, { Withdrawn: { role: ROLE, application: world.APPLICATION } }, [
    ['withdraws the active application', open, byApplicant, { Withdrawn: {} }],
    ['works on a closed job', [...open, world.jobClosed()], byApplicant, { Withdrawn: {} }],
    ['withdraws the newest application', withdrawn, byRepeatedApplicant, { Withdrawn: { application: AGAIN } }],
  ]);

  testRefusals(Job, [
    ['for an unknown job', [], byApplicant, 'not_found', 'role'],
    ['to a muse that has not applied', open, by(STRANGER), 'not_an_applicant'],
    ['a second time', withdrawn, byApplicant, 'not_an_applicant'],
    ['after the application led to a hire', hired, byApplicant, 'not_an_applicant'],
  ]);
});

test('withdraws once when it is repeated; a second request is refused', async () => {
  const stores = await InMemoryStores.with(Job.streamName(ROLE), world.plainJob());
  const stream = Application.streamName(ROLE, WORKER);
  await stores.append(stream, world.applied());
  const run = running(withdraw, stores);
  const request = stores.request(WORKER);
  const first = await run(fields, request);
  expect(await run(fields, request)).toEqual(first);
  expect(first.body).toEqual({ withdrawn: true });
  expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted', 'Withdrawn']);
  expect(stores.log.of(Job.streamName(ROLE))[1]!.based_on).toEqual({ [stream]: 0 });
  expect(await refusalOf(run(fields, stores.request(WORKER)))).toMatchObject({ code: 'not_an_applicant' });
});
