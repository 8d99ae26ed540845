import { describe } from '@jest/globals';
import { Job } from '#libs/features/jobs/domain/job.js';
import { close } from '#libs/features/jobs/close.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { NOW } from '../../given.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { POSTER, ROLE, STRANGER } = world;
const by = (actor: string, changed: { readonly reason?: string } = {}) =>
  decides(close, { role: ROLE, ...changed }, actor);
const open = [world.plainJob()];
const filled = [...open, world.seatFilled(), world.jobClosed('filled')];

describe('closing a role', () => {
  testDecisions(Job, { JobClosed: { closed_reason: 'closed' } }, [
    [
      'records the poster, the role and the reason',
      open,
      by(POSTER, { reason: 'It is done otherwise.' }),
      { JobClosed: { note: 'It is done otherwise.' } },
    ],
    ['needs no reason', open, by(POSTER, { reason: '' }), { JobClosed: { note: null } }],
    ['works for the house on its own role', [world.houseJob()], by(SYSTEM_ACCOUNT_ID), { JobClosed: { poster: null } }],
    ['changes nothing on a closed role', [...open, world.jobClosed()], by(POSTER), {}],
    [
      'keeps a filled role closed',
      filled,
      by(POSTER, { reason: 'It is done.' }),
      { JobClosed: { note: 'It is done.', again: true } },
    ],
    ['changes nothing on a filled role that was closed', [...filled, world.jobClosed()], by(POSTER), {}],
    ['changes nothing on an expired role', [world.plainJob({ expires_at: NOW })], by(POSTER), {}],
  ]);

  testRefusals(Job, [
    ['for an unknown role', [], by(POSTER), 'not_found', 'role'],
    ['to a muse that is not the poster', open, by(STRANGER), 'not_the_poster'],
    ['to a muse for a house role', [world.houseJob()], by(POSTER), 'not_the_poster'],
  ]);
});
