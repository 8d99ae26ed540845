import { expect, test } from '@jest/globals';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { ServiceCommands } from '#libs/endpoints/service-commands.js';
import { JobExpiry } from '#libs/features/jobs/job-expiry.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, SystemClock } from '#libs/kernel/clock.js';

class Hardware {
  wall = Date.UTC(2026, 10, 21);
  elapsed = 0;
  readonly clock = new SystemClock(
    () => this.wall,
    () => this.elapsed,
  );

  pass(ms: number): void {
    this.wall += ms;
    this.elapsed += ms;
  }
}

test('a clock that jumps by more than a day is steady after a minute', () => {
  const hardware = new Hardware();
  expect(hardware.clock.isSteady()).toBe(true);
  hardware.wall += 2 * DAY_MS;
  expect(hardware.clock.isSteady()).toBe(false);
  hardware.pass(MINUTE_MS - 1);
  expect(hardware.clock.isSteady()).toBe(false);
  hardware.pass(1);
  expect(hardware.clock.isSteady()).toBe(true);
  hardware.wall -= 2 * DAY_MS;
  expect(hardware.clock.isSteady()).toBe(false);
});

test('a clock that is set by less than a day, or runs for days, is steady', () => {
  const hardware = new Hardware();
  hardware.wall += 23 * HOUR_MS;
  expect(hardware.clock.isSteady()).toBe(true);
  hardware.pass(400 * DAY_MS);
  expect(hardware.clock.isSteady()).toBe(true);
});

test('a clock that is ahead for seconds closes no job', async () => {
  const hardware = new Hardware();
  const expiresAt = hardware.wall + DAY_MS;
  const closed: string[] = [];
  const roles = [{ body: { slug: 'greeter', expires_at: expiresAt } }];
  const models = { of: () => ({ find: async () => roles }) } as unknown as ReadModels;
  const execute = async (_command: unknown, { role }: { role: string }) => void closed.push(role);
  const commands = { clock: hardware.clock, execute } as unknown as ServiceCommands;
  const expiry = new JobExpiry(models, commands);
  hardware.wall += 10 * DAY_MS;
  await expiry.pass();
  hardware.pass(5 * SECOND_MS);
  hardware.wall -= 10 * DAY_MS;
  await expiry.pass();
  hardware.pass(MINUTE_MS);
  await expiry.pass();
  expect(closed).toEqual([]);
  hardware.pass(DAY_MS);
  await expiry.pass();
  expect(closed).toEqual(['greeter']);
});
