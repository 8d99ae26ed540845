import { describe, expect, test } from '@jest/globals';
import { HIRES_MAX, hasPendingHire, taskStatus, withSeatsFreed } from '#libs/features/delegation/job-task.js';
import type { Fact } from '#libs/kernel/event.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { asEvents, NOW } from '../../given.js';
import { after } from '../views.js';
import * as world from './worlds.js';

const { HIRE, ROLE, STRANGER } = world;
const filled = {
  hired: ['agent_a'],
  closed: true,
  closed_reason: 'filled',
  expires_at: null,
} as unknown as RoleDocument;
const hireOf = (worker: string, more: object = {}) =>
  ({ worker, ended: null, paid: null, delivery: null, acceptance: null, wage: null, ...more }) as HireDocument;

test('a filled job whose hire is not projected yet has the status hired', () => {
  expect(taskStatus(filled, [], 0, NOW)).toBe('hired');
  expect(taskStatus(filled, [hireOf('agent_a')], 0, NOW)).toBe('hired');
});

test('a job stays hired while its second seat is taken and its first hire has ended', () => {
  const both = { ...filled, hired: ['agent_a', 'agent_b'] };
  expect(taskStatus(both, [hireOf('agent_a', { ended: { at: NOW } })], 0, NOW)).toBe('hired');
});

test('does not report a pending hire if a job has more hires than are loaded', () => {
  const hired = Array.from({ length: HIRES_MAX + 1 }, (_, at) => `agent_${at}`);
  const newest = hired.slice(1).map(worker => hireOf(worker));
  expect(hasPendingHire({ hired }, newest)).toBe(false);
  expect(hasPendingHire({ hired }, newest.slice(1))).toBe(true);
});

describe('a job whose hire has ended before its seat is freed', () => {
  const one = [world.plainJob(), world.applied(), world.seatFilled(), world.hired()];
  const two = [world.plainJob({ seats: 2 }), ...one.slice(1)];
  const other = [world.seatFilled(STRANGER), world.hired({ hire: HIRE + 1, worker: STRANGER })];

  function documents(facts: readonly Fact[]): readonly [RoleDocument, HireDocument[]] {
    const events = asEvents(facts);
    const hires = [...after(Hires, events).values()].map(({ body }) => body as HireDocument).reverse();
    return [after(Roles, events).get(ROLE)!.body as RoleDocument, hires];
  }

  test.each<readonly [what: string, facts: Fact[], reopens: boolean, status: string]>([
    ['a filled job is open', [...one, world.jobClosed('filled')], true, 'open'],
    ['a job with another free seat is open', two, false, 'open'],
    ['a filled job with another active hire is hired', [...two, ...other, world.jobClosed('filled')], true, 'hired'],
    ['a job closed by its poster has ended', [...two, world.jobClosed('closed')], false, 'ended'],
    ['an expired job has ended', [world.plainJob({ expires_at: NOW }), ...one.slice(1)], false, 'ended'],
  ])('has its final status at once: %s', (_what, facts, reopens, status) => {
    const [role, hires] = documents([...facts, world.hireEnded()]);
    const [freed, same] = documents([...facts, world.hireEnded(), world.seatFreed(reopens)]);
    expect([role.hired.includes(world.WORKER), freed.hired.includes(world.WORKER)]).toEqual([true, false]);
    expect([taskStatus(role, hires, 0, NOW), taskStatus(freed, same, 0, NOW)]).toEqual([status, status]);
    expect(withSeatsFreed(role, hires)).toEqual(freed);
    expect(withSeatsFreed(freed, same)).toEqual(freed);
  });
});
