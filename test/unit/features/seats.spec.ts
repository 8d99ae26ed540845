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

describe('seats', () => {
  test('are taken by hires and freed by what ends one', () => {
    const two = [world.plainJob({ seats: 2 }), world.seatFilled()];
    expect(seatsLeft(jobOf(...two))).toBe(1);
    expect(seatsLeft(jobOf(...two, world.seatFilled(world.STRANGER)))).toBe(0);
    expect(seatsLeft(jobOf(...two, world.seatFilled(world.STRANGER), world.seatFreed()))).toBe(1);
    expect(jobOf(...two, world.seatFreed()).filled.size).toBe(0);
  });

  test('of one worker are one seat', () => {
    expect(seatsLeft(jobOf(world.plainJob({ seats: 2 }), world.seatFilled(), world.seatFilled()))).toBe(1);
  });

  test('freed in a role that was closed as filled open it again, in one that was closed otherwise do not', () => {
    const filled = jobOf(world.plainJob(), world.seatFilled(), world.jobClosed('filled'), world.seatFreed(true));
    expect([filled.status, isOpen(filled, NOW), 'reason' in filled]).toEqual(['open', true, false]);
    const closed = jobOf(world.plainJob({ seats: 2 }), world.seatFilled(), world.jobClosed(), world.seatFreed());
    expect(closed).toMatchObject({ status: 'closed', reason: 'closed' });
  });

  test('freed in a role whose time is over open nothing', () => {
    const late = world.plainJob({ expires_at: NOW });
    const job = jobOf(late, world.seatFilled(), world.jobClosed('filled'), world.seatFreed(true));
    expect(isOpen(job, NOW)).toBe(false);
  });

  test('are fewer than none where the house took some away, which takes nobody’s hire away', () => {
    const fewer = world.told('JobUpdated', { role: world.ROLE, seats: 1 });
    const job = jobOf(world.houseJob({ seats: 3 }), world.seatFilled(), world.seatFilled(world.STRANGER), fewer);
    expect([seatsLeft(job), job.filled.size]).toEqual([-1, 2]);
  });
});

describe('an application stands', () => {
  const stands = (asked: Application, ...facts: Fact[]) => isOpenApplication(jobOf(world.plainJob(), ...facts), asked);

  test('once it was made', () => {
    expect(stands(application())).toBe(false);
    expect(stands(first)).toBe(true);
  });

  test('until it is withdrawn; a new one stands again', () => {
    expect(stands(first, world.withdrawn())).toBe(false);
    expect(stands(second, world.withdrawn())).toBe(true);
    expect(stands(second, world.withdrawn(), world.withdrawn(AGAIN))).toBe(false);
  });

  test('until it is hired on: a hire that ended does not bring it back, a new application does', () => {
    expect(stands(first, world.seatFilled())).toBe(false);
    expect(stands(first, world.seatFilled(), world.seatFreed())).toBe(false);
    expect(stands(second, world.seatFilled(), world.seatFreed())).toBe(true);
  });

  test('whatever becomes of the applications of others', () => {
    expect(stands(first, world.seatFilled(world.STRANGER))).toBe(true);
    expect(stands(first, world.told('Withdrawn', { role: world.ROLE, muse_id: world.STRANGER }))).toBe(true);
  });
});
