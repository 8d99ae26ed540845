import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { World } from '../world.js';
import { outcomeOf, startApp } from './shell.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

function run(argv: readonly string[], more: object = {}) {
  const settings = { DATA_DIR: join(world.folder, 'data'), TEST_CLOCK_FILE: join(world.folder, 'clock') };
  return outcomeOf(startApp('operator', argv, world.folder, { ...settings, ...more }));
}

test('prints only JSON on standard output and exits with 1 on a problem', async () => {
  const backup = join(world.folder, 'backup');
  const made = await run(['backup', backup, '--json']);
  expect(made).toMatchObject({ code: 0 });
  expect(JSON.parse(made.out)).toMatchObject({ ok: true, folder: backup });
  const again = await run(['backup', backup, '--json']);
  expect(again.code).toBe(1);
  expect(JSON.parse(again.out)).toEqual({ ok: false, error: expect.stringContaining('is not empty') });
  const wrong = await run(['doctor', '--json'], { CHAIN: 'moon' });
  expect(wrong.code).toBe(1);
  expect(JSON.parse(wrong.out)).toMatchObject({
    ok: false,
    checks: [{ name: 'settings', sentence: expect.stringContaining('CHAIN: "moon" must be one of') }],
  });
}, 120_000);
