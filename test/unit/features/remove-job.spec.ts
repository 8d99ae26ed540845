import { expect, test } from '@jest/globals';
import { closeRemoved } from '#libs/features/moderation/moderation.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { given, NOW } from '../../given.js';
import * as world from './worlds.js';

const removes = (job: Job) => closeRemoved(job, NOW);

test('an open job is removed, and its hires stay', () => {
  const [fact] = given(Job, world.plainJob({ seats: 2 }), world.seatFilled())
    .when(removes)
    .thenTypes('JobClosed');
  const { ROLE, POSTER } = world;
  expect(fact!.data).toEqual({ role: ROLE, poster: POSTER, closed_reason: 'removed', note: null });
});

test('a closed or expired job does not change', () => {
  for (const reason of ['closed', 'removed'])
    given(Job, world.plainJob(), world.jobClosed(reason)).when(removes).thenNothing();
  given(Job, world.plainJob({ expires_at: NOW }))
    .when(removes)
    .thenNothing();
});

test('a filled job is removed, so that it does not open again', () => {
  const [fact] = given(Job, world.plainJob(), world.seatFilled(), world.jobClosed('filled'))
    .when(removes)
    .thenTypes('JobClosed');
  expect(fact!.data).toMatchObject({ closed_reason: 'removed', again: true });
});

test('removing a house role or an unknown job is refused', () => {
  given(Job, world.houseJob()).when(removes).thenRefused('not_the_poster');
  given(Job).when(removes).thenRefused('not_found');
});
