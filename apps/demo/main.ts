import { ConnectionLost, MESSAGE_TAG } from '#libs/client/index.js';
import { type CallAddress, resolveCallAddress } from '#libs/setup/address-file.js';
import { isServiceListening } from '#libs/setup/service-probe.js';
import { loadEnvFile } from '#libs/setup/env-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { createProgram, parseOptions } from '#libs/terminal/command-line.js';
import { failCommand } from '#libs/terminal/fail-command.js';
import { printError } from '#libs/terminal/print.js';
import { noServiceMessage } from '#libs/setup/no-service-message.js';
import { Screen } from './screen.js';
import { Stage } from './stage.js';
import { playStory } from './story.js';

const PROGRAM = createProgram('demo', {
  meaning: 'Plays a whole job, payments included, against a running service, as real agents do over HTTP.',
  options: [],
  note: 'The service is the one that BASE_URL names, else that of PORT, else the one of DATA_DIR, else the one at HOST and port 3000.',
});

/** Where the service answers. Who plays comes from outside, so its public address goes before all others. */
function publicCallAddress(): CallAddress {
  const settings = readSettings(process.env);
  return settings.baseUrl === null ? resolveCallAddress(settings) : { address: settings.baseUrl, source: 'BASE_URL' };
}

async function main(): Promise<void> {
  if (parseOptions(PROGRAM, process.argv.slice(2)) === null) return;
  loadEnvFile(process.env).forEach(printError);
  const called = publicCallAddress();
  const { address: baseUrl } = called;
  const screen = new Screen(process.stdout);
  screen.title(`Agent Job Network: a story of three agents, played against ${baseUrl}`);
  try {
    const startedAt = performance.now();
    await playStory(new Stage(screen, baseUrl, process.env['MESSAGE_TAG'] ?? MESSAGE_TAG));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    screen.title(`Everything is as it should be (${seconds} s).`);
  } catch (error) {
    screen.failure(await failureMessage(error, called));
    process.exitCode = 1;
  }
}

async function failureMessage(error: unknown, called: CallAddress): Promise<string> {
  if (error instanceof ConnectionLost && !(await isServiceListening(called.address))) return noServiceMessage(called);
  return error instanceof Error ? error.message : String(error);
}

await main().catch(failCommand);
