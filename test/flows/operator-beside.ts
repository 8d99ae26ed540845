import { join } from 'node:path';
import { readArguments } from '#apps/operator/arguments.js';
import type { CommandReport } from '#libs/terminal/command-line.js';
import { runCommand } from '#apps/operator/commands.js';
import { readSettings, type Settings } from '#libs/setup/settings.js';
import type { World } from '../world.js';

/** Settings for an operator command on the stores of a running world, with its clock. */
export function settingsBeside({ folder, backing }: World, more: object = {}): Settings {
  const embedded = { DATA_DIR: join(folder, 'data'), TEST_CLOCK_FILE: join(folder, 'clock') };
  return readSettings({ ...embedded, ...backing?.environment, ...more });
}

/** Runs an operator command during the service and waits for the read models. */
export async function operatorBeside(world: World, argv: readonly string[], more: object = {}): Promise<CommandReport> {
  const report = await runCommand(readArguments(argv)!, settingsBeside(world, more));
  await world.settle();
  return report;
}
