import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { readSettings } from '#libs/setup/settings.js';
import { print, printError, printJson } from '#libs/terminal/print.js';
import { readArguments } from './arguments.js';
import { carryOutCommand, help } from './commands.js';

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const asked = readArguments(process.argv.slice(2));
  if (asked.command === 'help') return print(help());
  const { ok, json, text } = await carryOutCommand(asked, readSettings(process.env));
  if (asked.json) printJson(json);
  else print(text);
  if (!ok) process.exitCode = 1;
}

main().catch((error: unknown) => {
  const sentence = error instanceof Error ? error.message : String(error);
  if (process.argv.includes('--json')) printJson({ ok: false, error: sentence });
  printError(sentence);
  process.exitCode = 1;
});
