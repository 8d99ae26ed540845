import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A server under test, in a process of its own. */
export interface Child {
  readonly port: number;
  stop(): Promise<void>;
}

const START_MS = 60_000;

/** Runs a file of this folder; `BENCH_NODE_ARGS` go to its Node (`--cpu-prof`). */
export function run(file: string, ...args: string[]): ChildProcess {
  const execArgv = process.env['BENCH_NODE_ARGS']?.split(' ').filter(Boolean) ?? [];
  return fork(join(import.meta.dirname, file), args, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** The first message of a process. Throws where it ends without one. */
export async function messageOf<T>(process: ChildProcess): Promise<T> {
  const ended = once(process, 'exit').then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${code}.`);
  });
  const [message] = (await Promise.race([
    once(process, 'message', { signal: AbortSignal.timeout(START_MS * 10) }),
    ended,
  ])) as [T];
  ended.catch(() => undefined);
  return message;
}

export async function serve(file: string, ...args: string[]): Promise<Child> {
  const process = run(file, ...args);
  const { port } = await messageOf<{ port: number }>(process);
  const stop = async () => {
    const ended = once(process, 'exit');
    process.kill('SIGTERM');
    await ended;
  };
  return { port, stop };
}
