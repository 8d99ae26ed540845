import { describe, expect, test } from '@jest/globals';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job, isOpen, seatsLeft, isOpenApplication } from '#libs/features/jobs/domain/job.js';
import type { Fact } from '#libs/kernel/event.js';
import { NOW, stateOf } from '../../given.js';
import * as world from './worlds.js';

const AGAIN = world.APPLICATION + 1;
type Known = Exclude<Job, { status: 'unknown' }>;
const jobOf = (...facts: Fact[]) => stateOf(Job, ...facts) as Known;
const application = (...items: number[]) => stateOf(Application, ...items.map(item => world.told('Applied', { item })));
const first = application(world.APPLICATION);
const second = application(world.APPLICATION, AGAIN);

describe('seats of a job', () => {
  test('a hire takes a seat and its end frees the seat', () => {
    const two = [world.plainJob({ seats: 2 }), world.seatFilled()];
    expect(seatsLeft(jobOf(...two))).toBe(1);
    expect(seatsLeft(jobOf(...two, world.seatFilled(world.STRANGER)))).toBe(0);
    expect(seatsLeft(jobOf(...two, world.seatFilled(world.STRANGER), world.seatFreed()))).toBe(1);
    expect(jobOf(...two, world.seatFreed()).filled.size).toBe(0);
  });

  test('a worker takes only one seat of a job', () => {
    expect(seatsLeft(jobOf(world.plainJob({ seats: 2 }), world.seatFilled(), world.seatFilled()))).toBe(1);
  });

  test('a freed seat reopens a filled job but not a closed job', () => {
    const filled = jobOf(world.plainJob(), world.seatFilled(), world.jobClosed('filled'), world.seatFreed(true));
    expect([filled.status, isOpen(filled, NOW), 'reason' in filled]).toEqual(['open', true, false]);
    const closed = jobOf(world.plainJob({ seats: 2 }), world.seatFilled(), world.jobClosed(), world.seatFreed());
    expect(closed).toMatchObject({ status: 'closed', reason: 'closed' });
  });

  test('a freed seat does not reopen an expired job', () => {
    const late = world.plainJob({ expires_at: NOW });
    const job = jobOf(late, world.seatFilled(), world.jobClosed('filled'), world.seatFreed(true));
    expect(isOpen(job, NOW)).toBe(false);
  });

  test('removing seats below the number of hires keeps every hire', () => {
    const fewer = world.told('JobUpdated', { role: world.ROLE, seats: 1 });
    const job = jobOf(world.houseJob({ seats: 3 }), world.seatFilled(), world.seatFilled(world.STRANGER), fewer);
    expect([seatsLeft(job), job.filled.size]).toEqual([-1, 2]);
  });
});

describe('an application', () => {
  const stands = (application: Application, ...facts: Fact[]) =>
    isOpenApplication(jobOf(world.plainJob(), ...facts), application);

  test('is active after it is made', () => {
    expect(stands(application())).toBe(false);
    expect(stands(first)).toBe(true);
  });

  test('is inactive after its withdrawal until the worker applies again', () => {
    expect(stands(first, world.withdrawn())).toBe(false);
    expect(stands(second, world.withdrawn())).toBe(true);
    expect(stands(second, world.withdrawn(), world.withdrawn(AGAIN))).toBe(false);
  });

  test('stays inactive after its hire ends until the worker applies again', () => {
    expect(stands(first, world.seatFilled())).toBe(false);
    expect(stands(first, world.seatFilled(), world.seatFreed())).toBe(false);
    expect(stands(second, world.seatFilled(), world.seatFreed())).toBe(true);
  });

  test('is unaffected by hires and withdrawals of other workers', () => {
    expect(stands(first, world.seatFilled(world.STRANGER))).toBe(true);
    expect(stands(first, world.told('Withdrawn', { role: world.ROLE, muse_id: world.STRANGER }))).toBe(true);
  });
});
