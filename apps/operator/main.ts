import 'reflect-metadata';
import { restrictUmask } from '#libs/setup/data-folder.js';
import { SettingError } from '#libs/setup/setting.js';
import { loadEnvFile } from '#libs/setup/env-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { explainStoreOutage } from '#libs/setup/store-places.js';
import { failCommand, type CommandReport } from '#libs/terminal/command-line.js';
import { print, printError, printJson } from '#libs/terminal/print.js';
import { type Arguments, readArguments } from './arguments.js';
import { runCommand } from './commands.js';
import { settingsReport } from './doctor/doctor.js';

async function main(): Promise<void> {
  restrictUmask();
  loadEnvFile(process.env).forEach(printError);
  const args = readArguments(process.argv.slice(2));
  if (args === null) return;
  const report = await runOrReport(args);
  if (args.json) printJson(report.json);
  else print(report.text);
  if (!report.ok) process.exitCode = 1;
}

/** `doctor` reports wrong settings instead of failing on them. */
async function runOrReport(args: Arguments): Promise<CommandReport> {
  try {
    const settings = readSettings(process.env);
    return await runCommand(args, settings).catch(async (error: unknown) => {
      throw await explainStoreOutage(error, settings);
    });
  } catch (error) {
    if (args.command === 'doctor' && error instanceof SettingError) return settingsReport(error);
    throw error;
  }
}

/** Connections to a server that does not answer would keep the process alive. */
const exit = () => process.stdout.write('', () => process.exit());

main().catch(failCommand).finally(exit);
