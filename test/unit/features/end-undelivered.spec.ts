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

describe('a hire whose worker acts no more', () => {
  test.each([
    [erased, 'The worker has erased its identity.'],
    [linked, 'The worker counts for another identity now.'],
  ])('ends, and says why', (worker, reason) => {
    const [ended] = given(Hire, world.hired())
      .when(hire => endInactiveHire(hire, worker))
      .thenTypes('HireEnded');
    expect(ended!.data).toMatchObject({ hire: world.HIRE, by: world.WORKER, reason });
  });

  test('stays as it is where something was delivered, or it has ended', () => {
    given(Hire, world.hired(), world.delivered())
      .when(hire => endInactiveHire(hire, erased))
      .thenNothing();
    given(Hire, world.hired(), world.hireEnded())
      .when(hire => endInactiveHire(hire, erased))
      .thenNothing();
  });

  test('stays for a task that was passed, which the service itself delivers', () => {
    given(Hire, world.hired({ poster: null, role: roleOfTask(123456789012) }))
      .when(hire => endInactiveHire(hire, erased))
      .thenNothing();
    given(Hire, world.hired({ poster: null }))
      .when(hire => endInactiveHire(hire, erased))
      .thenTypes('HireEnded');
  });
});

test('a hire of who acts goes on', () => {
  given(Hire, world.hired())
    .when(hire => endInactiveHire(hire, present))
    .thenNothing();
});
