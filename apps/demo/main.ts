import { existsSync } from 'node:fs';
import { ConnectionLost, MESSAGE_TAG } from '#libs/client/index.js';
import { readAddress } from '#libs/setup/address-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { calledAs, programOf, readOptions } from '#libs/terminal/command-line.js';
import { failed } from '#libs/terminal/failed.js';
import { Screen } from './screen.js';
import { Stage } from './stage.js';
import { play } from './story.js';

const PROGRAM = programOf('demo', {
  meaning: 'Plays a whole job, payments included, against a running service, as real agents do over HTTP.',
  options: [],
  note: 'The service is the one that BASE_URL names, else the one of DATA_DIR, else that of HOST and PORT.',
});

/** Where the service answers: as it was told, else as the service of the data folder wrote it down. */
function addressOf(): string {
  const settings = readSettings(process.env);
  return settings.baseUrl ?? readAddress(settings);
}

async function main(): Promise<void> {
  if (readOptions(PROGRAM, process.argv.slice(2)) === null) return;
  if (existsSync('.env')) process.loadEnvFile('.env');
  const baseUrl = addressOf();
  const screen = new Screen(process.stdout);
  screen.title(`Agent Job Network: a story of three agents, played against ${baseUrl}`);
  try {
    const startedAt = performance.now();
    await play(new Stage(screen, baseUrl, process.env['MESSAGE_TAG'] ?? MESSAGE_TAG));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    screen.title(`Everything is as it should be (${seconds} s).`);
  } catch (error) {
    screen.failure(sentenceOf(error, baseUrl));
    process.exitCode = 1;
  }
}

function sentenceOf(error: unknown, baseUrl: string): string {
  if (error instanceof ConnectionLost)
    return `${error.message}\n      Is a service running at ${baseUrl}? Start one with ${calledAs('start')}, or set BASE_URL.`;
  return error instanceof Error ? error.message : String(error);
}

await main().catch(failed);
