import { describe, expect, test } from '@jest/globals';
import { HIRES_MAX, hasPendingHire, taskStatus, withSeatsFreed } from '#libs/features/jobs/task-status.js';
import type { Fact } from '#libs/kernel/event.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { asEvents, NOW } from '../../given.js';
import { after } from '../views.js';
import * as world from './worlds.js';

const { HIRE, ROLE, STRANGER } = world;
const filled = { hired: ['agent_a'], closed: true, closed_as: 'filled', expires_at: null } as unknown as RoleDocument;
const hireOf = (worker: string, more: object = {}) =>
  ({ worker, ended: null, paid: null, delivery: null, acceptance: null, budget: null, ...more }) as HireDocument;

test('a job that is filled before its hire is written has somebody hired, and has not ended', () => {
  expect(taskStatus(filled, [], 0, NOW)).toBe('hired');
  expect(taskStatus(filled, [hireOf('agent_a')], 0, NOW)).toBe('hired');
});

test('a second seat that is taken while the first hire has ended is no end either', () => {
  const both = { ...filled, hired: ['agent_a', 'agent_b'] };
  expect(taskStatus(both, [hireOf('agent_a', { ended: { at: NOW } })], 0, NOW)).toBe('hired');
});

test('of a job with more hires than are looked at nobody is taken for one that is being hired', () => {
  const hired = Array.from({ length: HIRES_MAX + 1 }, (_, at) => `agent_${at}`);
  const newest = hired.slice(1).map(worker => hireOf(worker));
  expect(hasPendingHire({ hired }, newest)).toBe(false);
  expect(hasPendingHire({ hired }, newest.slice(1))).toBe(true);
});

describe('between the end of a hire and its seat, which is freed in another stream,', () => {
  const one = [world.plainJob(), world.applied(), world.seatFilled(), world.hired()];
  const two = [world.plainJob({ seats: 2 }), ...one.slice(1)];
  const other = [world.seatFilled(STRANGER), world.hired({ hire: HIRE + 1, worker: STRANGER })];

  /** What the documents say of a job, and of its hires the newest first, once these facts were folded. */
  function documents(facts: readonly Fact[]): readonly [RoleDocument, HireDocument[]] {
    const events = asEvents(facts);
    const hires = [...after(Hires, events).values()].map(({ body }) => body as HireDocument).reverse();
    return [after(Roles, events).get(ROLE)!.body as RoleDocument, hires];
  }

  test.each<readonly [what: string, facts: Fact[], reopens: boolean, status: string]>([
    ['one that was filled is open', [...one, world.jobClosed('filled')], true, 'open'],
    ['one with another seat is open', two, false, 'open'],
    ['one on which somebody else works goes on', [...two, ...other, world.jobClosed('filled')], true, 'hired'],
    ['one that its poster has closed is over', [...two, world.jobClosed('closed')], false, 'ended'],
    ['one whose time is over is over', [world.plainJob({ expires_at: NOW }), ...one.slice(1)], false, 'ended'],
  ])('a job is what it will be: %s', (_what, facts, reopens, status) => {
    const [role, hires] = documents([...facts, world.hireEnded()]);
    const [freed, same] = documents([...facts, world.hireEnded(), world.seatFreed(reopens)]);
    expect([role.hired.includes(world.WORKER), freed.hired.includes(world.WORKER)]).toEqual([true, false]);
    expect([taskStatus(role, hires, 0, NOW), taskStatus(freed, same, 0, NOW)]).toEqual([status, status]);
    expect(withSeatsFreed(role, hires)).toEqual(freed);
    expect(withSeatsFreed(freed, same)).toEqual(freed);
  });
});
