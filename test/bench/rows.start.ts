import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '#libs/payments/devchain/processes.js';
import { environmentOf, type Folder } from './folder.js';
import { rowOf, runPaired } from './paired.js';
import type { Row } from './report.js';

const LOOK_MS = 3;
const START_MAX_MS = 30_000;

/** Time from the command to the first response, for built programs and without a chain. */
export async function start(folder: Folder): Promise<Row[]> {
  const dataDir = folder.of('start');
  mkdirSync(dataDir, { recursive: true });
  const dist = join(import.meta.dirname, '..', '..');
  const service = join(dist, 'programs', 'gateway.js');
  const nest = join(import.meta.dirname, 'nest.server.js');
  const rounds = await runPaired({
    service: () => firstAnswer(service, environmentOf(dataDir)),
    nest: () => firstAnswer(nest, {}),
  });
  const name = 'start to first answer, against a Nest app of one route';
  return [rowOf(rounds, name, ['service', 'nest'], [2.7, 1.7], 'ms')];
}

async function firstAnswer(file: string, environment: { readonly [name: string]: string }): Promise<number> {
  const port = await findFreePort();
  const from = performance.now();
  const env = { ...process.env, ...environment, PORT: String(port) };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    while (!(await answers(port))) {
      if (performance.now() - from > START_MAX_MS || child.exitCode !== null) throw new Error(`${file} did not start.`);
      await new Promise(resolve => setTimeout(resolve, LOOK_MS));
    }
    return performance.now() - from;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );
