import { describe } from '@jest/globals';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { withdraw } from '#libs/features/jobs/withdraw.js';
import type { Fact } from '#libs/kernel/event.js';
import { stateOf } from '../../given.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
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
