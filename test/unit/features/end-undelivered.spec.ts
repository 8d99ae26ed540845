import { describe } from '@jest/globals';
import { endInactiveHire } from '#libs/features/hires/end-undelivered.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { roleOfTask } from '#libs/features/jobs/domain/instant-names.js';
import { Muse } from '#libs/domain/muse.js';
import { stateOf } from '../../given.js';
import { testDecisions } from './deciding.js';
import * as world from './worlds.js';

const present = stateOf(Muse, world.registered, world.joined);
const erased = stateOf(Muse, world.registered, world.joined, world.forgotten());
const linked = stateOf(Muse, world.registered, world.joined, world.told('Linked', { muse_id: world.WORKER }));

const ending = (worker: Muse) => (hire: Hire) => endInactiveHire(hire, worker);
const hired = [world.hired()];
const task = [world.hired({ poster: null, role: roleOfTask(123456789012) })];

describe('a hire', () => {
  const link = { reason: 'The worker is now linked to another identity.' };
  const reason = 'The worker has erased its identity.';
  const usual = { HireEnded: { hire: world.HIRE, role: world.ROLE, by: world.WORKER, reason } };
  testDecisions(Hire, usual, [
    ['of an erased worker ends', hired, ending(erased), { HireEnded: {} }],
    ['of a linked worker ends', hired, ending(linked), { HireEnded: link }],
    [
      'of an erased worker for the house ends',
      [world.hired({ poster: null })],
      ending(erased),
      { HireEnded: { poster: null } },
    ],
    ['of an active worker stays', hired, ending(present), {}],
    ['stays if it was delivered', [...hired, world.delivered()], ending(erased), {}],
    ['stays if it has ended', [...hired, world.hireEnded()], ending(erased), {}],
    ['stays for a passed task, which the service delivers', task, ending(erased), {}],
  ]);
});
