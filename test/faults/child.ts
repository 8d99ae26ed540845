import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const START_TIMEOUT_MS = 30_000;
const ROOT = new URL('../../', import.meta.url);
const LOADER = fileURLToPath(new URL('test/doubles/typescript-loader.mjs', ROOT));
const PROGRAM = fileURLToPath(new URL('test/faults/service-process.ts', ROOT));

export type Environment = { readonly [name: string]: string };

interface Started {
  readonly url: string;
  /** RPC addresses of the development chain by the rails' short names. */
  readonly rpc: { readonly [short: string]: string };
}

/** A whole service in a process of its own, on a folder as `World` makes them. */
export class Child {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly url: string,
    readonly rpc: { readonly [short: string]: string },
    /** Resolves once the process has ended, however. */
    readonly ended: Promise<void>,
  ) {}

  static async start(folder: string, environment: Environment = {}): Promise<Child> {
    const process = spawn(globalThis.process.execPath, ['--import', LOADER, PROGRAM], {
      env: { ...inherited(), ...settingsOf(folder), ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<void>(resolve => process.once('exit', () => resolve()));
    const { url, rpc } = await started(process, ended);
    return new Child(process, folder, url, rpc, ended);
  }

  /** From now on the process dies at the first of these points: `[step broadcast]`, `[before PaymentAccepted]`. */
  dieAt(...points: string[]): void {
    writeFileSync(crashFile(this.folder), points.join());
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  /** Ends as an operator ends it; the development chain's nodes end with it. */
  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill('SIGTERM');
    await this.ended;
  }
}

const crashFile = (folder: string) => join(folder, 'crash');

function settingsOf(folder: string): Environment {
  return {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    DEV_CHAIN_PORTS: '0,0',
    RATE_LIMITS: 'off',
    TEST_CLOCK_FILE: join(folder, 'clock'),
    CRASH_FILE: crashFile(folder),
  };
}

/** What a process needs to run at all; nothing that could be a setting. */
function inherited(): Environment {
  const names = ['PATH', 'HOME', 'TMPDIR', 'WORLD_LOG'];
  return Object.fromEntries(
    names.flatMap(name => (globalThis.process.env[name] ? [[name, globalThis.process.env[name]]] : [])),
  );
}

async function started(process: ChildProcess, ended: Promise<void>): Promise<Started> {
  let text = '';
  const line = new Promise<string>(resolve => {
    process.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => (timer = setTimeout(() => resolve(null), START_TIMEOUT_MS)));
  const first = await Promise.race([line, ended.then(() => null), late]);
  clearTimeout(timer);
  if (first !== null) return JSON.parse(first) as Started;
  process.kill('SIGKILL');
  throw new Error('The service’s process did not start.');
}
