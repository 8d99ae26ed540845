import 'reflect-metadata';
import { loadEnvFile } from '#libs/setup/env-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { explainStoreOutage } from '#libs/setup/store-places.js';
import { failCommand } from '#libs/terminal/command-line.js';
import { print, printError, printJson } from '#libs/terminal/print.js';
import { readArguments } from './arguments.js';
import { runCommand } from './commands.js';

async function main(): Promise<void> {
  loadEnvFile(process.env).forEach(printError);
  const args = readArguments(process.argv.slice(2));
  if (args === null) return;
  const settings = readSettings(process.env);
  const { ok, json, text } = await runCommand(args, settings).catch(async (error: unknown) => {
    throw await explainStoreOutage(error, settings);
  });
  if (args.json) printJson(json);
  else print(text);
  if (!ok) process.exitCode = 1;
}

main().catch(failCommand);
