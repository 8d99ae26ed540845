import { describe, expect, test } from '@jest/globals';
import { pinTerms } from '#libs/features/hires/hire-terms.js';
import { Job, type KnownJob } from '#libs/features/jobs/domain/job.js';
import type { Fact } from '#libs/kernel/event.js';
import { stateOf } from '../../given.js';
import * as world from './worlds.js';

const job = (...facts: Fact[]) => stateOf(Job, ...facts) as KnownJob;
const posted = world.jobPosted();

describe('the terms of a hire', () => {
  test('name the event that holds them, also after a change of a house job', () => {
    const first = pinTerms(job(posted), null);
    const later = pinTerms(job(posted, world.told('JobUpdated')), null);
    expect([first.terms_revision, later.terms_revision]).toEqual([0, 1]);
    expect(later.terms_digest).not.toBe(first.terms_digest);
  });

  test('differ by the wage and the hours to deliver', () => {
    const { budget } = posted.data as Parameters<typeof pinTerms>[0];
    const digests = [
      pinTerms(job(posted), null),
      pinTerms(job(posted), budget),
      pinTerms(job(world.jobPosted({ deliver_hours: 24 })), null),
    ].map(({ terms_digest }) => terms_digest);
    expect(new Set(digests).size).toBe(3);
  });

  test('have the digest of the event where an auditor does not see the texts', () => {
    const digest = '1'.repeat(64);
    expect(pinTerms(job(world.jobPosted({ title: null })), null, digest).terms_digest).toBe(digest);
    expect(pinTerms(job(posted), null, digest).terms_digest).not.toBe(digest);
  });
});
