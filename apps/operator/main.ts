import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { inspect } from 'node:util';
import { readSettings } from '#libs/setup/settings.js';
import { readArguments } from './arguments.js';
import { carryOutCommand, help } from './commands.js';

const DEPTH_SHOWN = 6;

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const asked = readArguments(process.argv.slice(2));
  if (asked.command === 'help') return console.log(help());
  const answer = await carryOutCommand(asked, readSettings(process.env));
  const colors = process.stdout.isTTY;
  console.log(asked.json ? JSON.stringify(answer) : inspect(answer, { depth: DEPTH_SHOWN, colors, breakLength: 120 }));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
