import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { readSettings } from '#libs/setup/settings.js';
import { failed } from '#libs/terminal/failed.js';
import { print, printJson } from '#libs/terminal/print.js';
import { readArguments } from './arguments.js';
import { carryOutCommand } from './commands.js';

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const asked = readArguments(process.argv.slice(2));
  if (asked === null) return;
  const { ok, json, text } = await carryOutCommand(asked, readSettings(process.env));
  if (asked.json) printJson(json);
  else print(text);
  if (!ok) process.exitCode = 1;
}

main().catch(failed);
