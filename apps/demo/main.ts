import { ConnectionLost, MESSAGE_TAG } from '#libs/client/index.js';
import { type Called, calledAt } from '#libs/setup/address-file.js';
import { answersAt } from '#libs/setup/answering.js';
import { loadEnvFile } from '#libs/setup/env-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { programOf, readOptions } from '#libs/terminal/command-line.js';
import { failed } from '#libs/terminal/failed.js';
import { printError } from '#libs/terminal/print.js';
import { nobodyAnswers } from '#libs/setup/nobody-answers.js';
import { Screen } from './screen.js';
import { Stage } from './stage.js';
import { play } from './story.js';

const PROGRAM = programOf('demo', {
  meaning: 'Plays a whole job, payments included, against a running service, as real agents do over HTTP.',
  options: [],
  note: 'The service is the one that BASE_URL names, else that of PORT, else the one of DATA_DIR, else the one at HOST and port 3000.',
});

/** Where the service answers. Who plays comes from outside, so its public address goes before all others. */
function calledByAgents(): Called {
  const settings = readSettings(process.env);
  return settings.baseUrl === null ? calledAt(settings) : { address: settings.baseUrl, saidBy: 'BASE_URL' };
}

async function main(): Promise<void> {
  if (readOptions(PROGRAM, process.argv.slice(2)) === null) return;
  loadEnvFile(process.env).forEach(printError);
  const called = calledByAgents();
  const { address: baseUrl } = called;
  const screen = new Screen(process.stdout);
  screen.title(`Agent Job Network: a story of three agents, played against ${baseUrl}`);
  try {
    const startedAt = performance.now();
    await play(new Stage(screen, baseUrl, process.env['MESSAGE_TAG'] ?? MESSAGE_TAG));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    screen.title(`Everything is as it should be (${seconds} s).`);
  } catch (error) {
    screen.failure(await sentenceOf(error, called));
    process.exitCode = 1;
  }
}

async function sentenceOf(error: unknown, called: Called): Promise<string> {
  if (error instanceof ConnectionLost && !(await answersAt(called.address))) return nobodyAnswers(called);
  return error instanceof Error ? error.message : String(error);
}

await main().catch(failed);
