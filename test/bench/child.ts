import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECLARED_LIMITS } from '#libs/service/limits.js';
import { environmentOf } from './folder.js';
import type { ReadyMessage, ResourceUse } from './announce-ready.js';

export interface Child extends ReadyMessage {
  readonly resources: () => Promise<ResourceUse>;
  stop(): Promise<void>;
}

/** Longest wait for a first message: a start or a whole rebuild. */
const MESSAGE_TIMEOUT_MS = 600_000;

/** Runs a file of this folder; `BENCH_NODE_ARGS` are passed to Node (`--cpu-prof`). */
export const run = (file: string, ...args: string[]): ChildProcess => runWith({}, file, ...args);

function runWith(environment: { readonly [name: string]: string }, file: string, ...args: string[]): ChildProcess {
  const execArgv = process.env['BENCH_NODE_ARGS']?.split(' ').filter(Boolean) ?? [];
  const env = { ...process.env, ...environment };
  return fork(join(import.meta.dirname, file), args, { env, execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** First message of a process; throws if it exits without one. */
export async function messageOf<T>(process: ChildProcess): Promise<T> {
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(MESSAGE_TIMEOUT_MS)]);
  const ended = once(process, 'exit', { signal }).then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${code}.`);
  });
  try {
    const [message] = (await Promise.race([once(process, 'message', { signal }), ended])) as [T];
    return message;
  } finally {
    ended.catch(() => undefined);
    done.abort();
  }
}

export const serve = (file: string, ...args: string[]): Promise<Child> => toChild(run(file, ...args));

/** Starts the whole service, by default without a development chain; `fetched` is a `host:port` it may call. */
export function serveService(dataDir: string, chain: 'none' | 'dev' = 'none', fetched?: string): Promise<Child> {
  const environment = { ...environmentOf(dataDir, chain, fetched), RATE_LIMITS: limitsFile(dataDir) };
  return toChild(runWith(environment, 'service.server.js'));
}

/** Counts every limit, but too high for the one address of the generator to reach. */
function limitsFile(dataDir: string): string {
  const file = `${dataDir}.limits.json`;
  const limits = DECLARED_LIMITS.map(({ name, seconds }) => [name, { points: 1_000_000_000, seconds }]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(limits)));
  return file;
}

async function toChild(process: ChildProcess): Promise<Child> {
  const ready = await messageOf<ReadyMessage>(process);
  const resources = () => {
    process.send('resources');
    return messageOf<ResourceUse>(process);
  };
  const stop = async () => {
    const ended = once(process, 'exit');
    process.kill('SIGTERM');
    await ended;
  };
  return { ...ready, resources, stop };
}
