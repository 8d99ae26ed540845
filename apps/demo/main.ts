import { ConnectionLost, MESSAGE_TAG } from '#libs/client/index.js';
import { Screen } from './screen.js';
import { Stage } from './stage.js';
import { play } from './story.js';

const BASE_URL = 'http://127.0.0.1:3000';

async function main(): Promise<void> {
  const baseUrl = (process.env['BASE_URL'] || BASE_URL).replace(/\/+$/, '');
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
    return `${error.message}\n      Is a service running at ${baseUrl}? Start one with npm start, or set BASE_URL.`;
  return error instanceof Error ? error.message : String(error);
}

await main();
