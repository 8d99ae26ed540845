import { expect, test } from '@jest/globals';
import type { ReplayedDecision } from '#libs/endpoints/decision.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { expireJob } from '#libs/features/jobs/job-expiry.js';
import type { Event } from '#libs/kernel/event.js';
import { asEvents } from '../given.js';
import { jobClosed, ROLE } from './features/worlds.js';

test('an event of a service command belongs in the stream that its data names', () => {
  const [closed] = asEvents([jobClosed('expired')], Job.streamName('another-role'));
  const event: Event = { ...closed!, actor: 'service', authorization: { mode: 'service', reason: 'expired' } };
  const replay = { event, own: ({ initial }) => initial } as ReplayedDecision;
  expect(() => expireJob.decide(replay)).toThrow(`The event belongs in the stream ${Job.streamName(ROLE)}.`);
});
