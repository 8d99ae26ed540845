import { expect, test } from '@jest/globals';
import { HIRES_MAX, isBeingHired, taskStatus } from '#libs/features/jobs/task-status.js';
import type { HireDocument } from '#libs/views/hires.js';
import type { RoleDocument } from '#libs/views/roles.js';

const NOW = 1_000;
const filled = { hired: ['agent_a'], closed: true, closed_as: 'filled', expires_at: null } as unknown as RoleDocument;
const hireOf = (worker: string, more: object = {}) =>
  ({ worker, ended: null, paid: null, delivery: null, acceptance: null, budget: null, ...more }) as HireDocument;
const ended = hireOf('agent_a', { ended: { at: NOW } });

test('a job that is filled before its hire is written has somebody hired, and has not ended', () => {
  expect(taskStatus(filled, [], 0, NOW)).toBe('hired');
  expect(taskStatus(filled, [hireOf('agent_a')], 0, NOW)).toBe('hired');
  expect(taskStatus(filled, [ended], 0, NOW)).toBe('ended');
});

test('a second seat that is taken while the first hire has ended is no end either', () => {
  const both = { ...filled, hired: ['agent_a', 'agent_b'] };
  expect(taskStatus(both, [ended], 0, NOW)).toBe('hired');
  expect(taskStatus(both, [ended, hireOf('agent_b', { ended: { at: NOW } })], 0, NOW)).toBe('ended');
});

test('of a job with more hires than are looked at nobody is taken for one that is being hired', () => {
  const hired = Array.from({ length: HIRES_MAX + 1 }, (_, at) => `agent_${at}`);
  const newest = hired.slice(1).map(worker => hireOf(worker));
  expect(isBeingHired({ hired }, newest)).toBe(false);
  expect(isBeingHired({ hired }, newest.slice(1))).toBe(true);
});
