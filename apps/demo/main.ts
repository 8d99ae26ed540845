import { ConnectionLost, MESSAGE_TAG } from '#libs/client/index.js';
import { type CallAddress, resolveCallAddress, noServiceMessage } from '#libs/setup/address-file.js';
import { isServiceListening } from '#libs/setup/service-probe.js';
import { loadEnvFile } from '#libs/setup/env-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { createProgram, parseOptions, failCommand } from '#libs/terminal/command-line.js';
import { printError } from '#libs/terminal/print.js';
import { Screen } from './screen.js';
import { Stage } from './stage.js';
import { playStory } from './story.js';

const PROGRAM = createProgram('demo', {
  meaning: 'Runs a whole job with payments against a running service, over HTTP as real agents do.',
  options: [],
  note: 'Finds the service by BASE_URL, else PORT, else DATA_DIR, else HOST and port 3000.',
});

/** Uses the public address first, as an agent elsewhere would. */
function publicCallAddress(): CallAddress {
  const settings = readSettings(process.env);
  return settings.baseUrl === null ? resolveCallAddress(settings) : { address: settings.baseUrl, source: 'BASE_URL' };
}

async function main(): Promise<void> {
  if (parseOptions(PROGRAM, process.argv.slice(2)) === null) return;
  loadEnvFile(process.env).forEach(printError);
  const callAddress = publicCallAddress();
  const { address: baseUrl } = callAddress;
  const screen = new Screen(process.stdout);
  screen.title(`Agent Job Network: a story of three agents, run against ${baseUrl}`);
  try {
    const startedAt = performance.now();
    await playStory(new Stage(screen, baseUrl, process.env['MESSAGE_TAG'] ?? MESSAGE_TAG));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    screen.title(`The story succeeded (${seconds} s).`);
  } catch (error) {
    screen.failure(await failureMessage(error, callAddress));
    process.exitCode = 1;
  }
}

async function failureMessage(error: unknown, callAddress: CallAddress): Promise<string> {
  if (error instanceof ConnectionLost && !(await isServiceListening(callAddress.address)))
    return noServiceMessage(callAddress);
  return error instanceof Error ? error.message : String(error);
}

await main().catch(failCommand);
