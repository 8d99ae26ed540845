import { describe, expect, test } from '@jest/globals';
import { endInactiveHire } from '#libs/features/hires/end-undelivered.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { roleOfTask } from '#libs/features/instant/domain/instant.js';
import { Muse } from '#libs/domain/muse.js';
import { given, stateOf } from '../../given.js';
import * as world from './worlds.js';

const present = stateOf(Muse, world.registered, world.joined);
const erased = stateOf(Muse, world.registered, world.joined, world.forgotten());
const linked = stateOf(Muse, world.registered, world.joined, world.told('Linked', { muse_id: world.WORKER }));

describe('a hire whose worker was erased or linked', () => {
  test.each([
    [erased, 'The worker has erased its identity.'],
    [linked, 'The worker is now linked to another identity.'],
  ])('ends with a reason', (worker, reason) => {
    const [ended] = given(Hire, world.hired())
      .when(hire => endInactiveHire(hire, worker))
      .thenTypes('HireEnded');
    expect(ended!.data).toMatchObject({ hire: world.HIRE, by: world.WORKER, reason });
  });

  test('stays if it was delivered or has ended', () => {
    given(Hire, world.hired(), world.delivered())
      .when(hire => endInactiveHire(hire, erased))
      .thenNothing();
    given(Hire, world.hired(), world.hireEnded())
      .when(hire => endInactiveHire(hire, erased))
      .thenNothing();
  });

  test('stays for a passed task, which the service delivers', () => {
    given(Hire, world.hired({ poster: null, role: roleOfTask(123456789012) }))
      .when(hire => endInactiveHire(hire, erased))
      .thenNothing();
    given(Hire, world.hired({ poster: null }))
      .when(hire => endInactiveHire(hire, erased))
      .thenTypes('HireEnded');
  });
});

test('a hire of an active worker stays', () => {
  given(Hire, world.hired())
    .when(hire => endInactiveHire(hire, present))
    .thenNothing();
});
