import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECLARED_LIMITS } from '#libs/service/limits.js';
import { environmentOf } from './folder.js';
import type { ReadyMessage } from './announce-ready.js';

/** A server under test, in a process of its own. */
export interface Child extends ReadyMessage {
  /** The memory that it has at the moment, shared pages too. */
  rssMiB(): Promise<number>;
  stop(): Promise<void>;
}

/** Until the first message: a server that starts, or a rebuild that has ended. */
const MESSAGE_TIMEOUT_MS = 600_000;

/** Runs a file of this folder; `BENCH_NODE_ARGS` go to its Node (`--cpu-prof`). */
export const run = (file: string, ...args: string[]): ChildProcess => runWith({}, file, ...args);

function runWith(environment: { readonly [name: string]: string }, file: string, ...args: string[]): ChildProcess {
  const execArgv = process.env['BENCH_NODE_ARGS']?.split(' ').filter(Boolean) ?? [];
  const env = { ...process.env, ...environment };
  return fork(join(import.meta.dirname, file), args, { env, execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** The first message of a process. Throws where it ends without one. */
export async function messageOf<T>(process: ChildProcess): Promise<T> {
  const ended = once(process, 'exit').then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${code}.`);
  });
  const [message] = (await Promise.race([
    once(process, 'message', { signal: AbortSignal.timeout(MESSAGE_TIMEOUT_MS) }),
    ended,
  ])) as [T];
  ended.catch(() => undefined);
  return message;
}

export const serve = (file: string, ...args: string[]): Promise<Child> => toChild(run(file, ...args));

/** The whole service on a data folder, without its development chain unless it is asked for; `fetched`: a `host:port` that it may send to. */
export function serveService(dataDir: string, chain: 'none' | 'dev' = 'none', fetched?: string): Promise<Child> {
  const environment = { ...environmentOf(dataDir, chain, fetched), RATE_LIMITS: limitsFile(dataDir) };
  return toChild(runWith(environment, 'service.server.js'));
}

/** Everything is counted, as it is for everybody; the generator, which is one address, reaches none of the limits. */
function limitsFile(dataDir: string): string {
  const file = `${dataDir}.limits.json`;
  const limits = DECLARED_LIMITS.map(({ name, seconds }) => [name, { points: 1_000_000_000, seconds }]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(limits)));
  return file;
}

async function toChild(process: ChildProcess): Promise<Child> {
  const ready = await messageOf<ReadyMessage>(process);
  const rssMiB = () => {
    process.send('memory');
    return messageOf<number>(process);
  };
  const stop = async () => {
    const ended = once(process, 'exit');
    process.kill('SIGTERM');
    await ended;
  };
  return { ...ready, rssMiB, stop };
}
