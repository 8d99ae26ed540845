import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { readSettings } from '#libs/setup/settings.js';
import { readArguments } from './arguments.js';
import { carryOutCommand, help } from './commands.js';

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const asked = readArguments(process.argv.slice(2));
  if (asked.command === 'help') return console.log(help());
  const { ok, json, text } = await carryOutCommand(asked, readSettings(process.env));
  console.log(asked.json ? JSON.stringify(json) : text);
  if (!ok) process.exitCode = 1;
}

main().catch((error: unknown) => {
  const sentence = error instanceof Error ? error.message : String(error);
  if (process.argv.includes('--json')) console.log(JSON.stringify({ ok: false, error: sentence }));
  console.error(sentence);
  process.exitCode = 1;
});
