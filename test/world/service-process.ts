import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { builtPrograms } from './built-programs.js';
import { recordErrors } from './logged-errors.js';

const START_TIMEOUT_MS = 60_000;
/** Time in which a frozen process stops. */
const STANDS_MS = 20;
const LOCKS = '/proc/locks';
/** `WORLD=apart` runs the published programs instead of the faster sources. */
const IS_APART = process.env['WORLD'] === 'apart';

export type Environment = { readonly [name: string]: string };

type App = 'gateway' | 'projector';

/** Variables that a process of the tests needs; must not include settings. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'WORLD_LOG'];

/** Runs a program of the service as `npm run start:gateway` and `npm run start:projector` do. */
export class ServiceProcess {
  isKilled = false;

  private constructor(
    private readonly child: ChildProcess,
    /** Returns all standard output so far. */
    private readonly readOutput: () => string,
    /** Resolves to the exit code, or to null after a signal. */
    readonly ended: Promise<number | null>,
  ) {}

  static gateway(folder: string, environment: Environment): Promise<ServiceProcess> {
    return ServiceProcess.start(folder, environment, 'gateway', '--apart');
  }

  static projector(folder: string, environment: Environment): Promise<ServiceProcess> {
    return ServiceProcess.start(folder, environment, 'projector');
  }

  static whole(folder: string, environment: Environment): Promise<ServiceProcess> {
    return ServiceProcess.start(folder, environment, 'gateway');
  }

  /** `listens` is printed only if the public address differs. */
  get url(): string {
    return this.row('listens') ?? this.row('address')!;
  }

  get said(): string {
    return this.readOutput();
  }

  get metricsUrl(): string {
    return /(http\S+)\/metrics/.exec(this.said)![1]!;
  }

  private row(name: string): string | undefined {
    return new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(this.said)?.[1];
  }

  async kill(): Promise<void> {
    this.isKilled = true;
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /**
   * Freezes the process like a hanging machine, but not during a SQLite write, which would block all other processes.
   */
  async freeze(): Promise<void> {
    for (;;) {
      this.child.kill('SIGSTOP');
      await pause(STANDS_MS);
      if (!isWriting(this.child.pid!)) return;
      this.resume();
      await pause(STANDS_MS);
    }
  }

  /** Lets this process end, and stops the service with it. */
  endWithThisProcess(): void {
    const { stdout, stderr } = this.child as unknown as { readonly [name: string]: Socket };
    for (const each of [this.child, stdout!, stderr!]) each.unref();
    process.once('exit', () => this.child.kill());
    process.once('SIGTERM', () => process.exit());
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Sends SIGTERM and returns the exit code. */
  async stop(): Promise<number | null> {
    // A process frozen by a failed test receives no other signal.
    this.resume();
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    return this.ended;
  }

  private static async start(folder: string, environment: Environment, app: App, ...args: string[]) {
    // Loaded late: the benchmark, which starts no process by this class, runs without the compiler.
    const { bundledProgram } = await import('../doubles/transformed-sources.js');
    const program = IS_APART ? join(builtPrograms(), `${app}.js`) : bundledProgram(app);
    const level = process.env['WORLD_LOG'] ?? 'error';
    const env = { ...inherited(), LOG_LEVEL: level, ...environment };
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)));
    return new ServiceProcess(child, await ready(child, ended, app), ended);
  }
}

/** Tells whether a process holds a write lock, according to Linux. */
const isWriting = (pid: number) =>
  existsSync(LOCKS) &&
  readFileSync(LOCKS, 'utf8')
    .split('\n')
    .some(lock => lock.includes(` WRITE ${pid} `));

export function inherited(): Environment {
  return Object.fromEntries(INHERITED.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function ready(child: ChildProcess, ended: Promise<unknown>, app: string): Promise<() => string> {
  let complained = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    complained += chunk.toString('utf8');
    if (process.env['WORLD_LOG']) process.stderr.write(chunk);
  });
  createInterface({ input: child.stderr! }).on('line', recordErrors);
  const output = await outputWith(/ is running\.[^]*\n/, child, ended);
  if (output) return output;
  throw new Error(`The process of the ${app} did not start: ${complained.trim() || 'it said nothing'}`);
}

/** Returns the output of a process, now or later, once it matches. Returns null if the process ends or is too late. */
export async function outputWith(
  pattern: RegExp,
  child: ChildProcess,
  ended: Promise<unknown>,
): Promise<(() => string) | null> {
  let output = '';
  const matching = new Promise<boolean>(resolve => {
    child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (pattern.test(output)) resolve(true);
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => (timer = setTimeout(() => resolve(false), START_TIMEOUT_MS)));
  const isMatching = await Promise.race([matching, ended.then(() => false), late]);
  clearTimeout(timer);
  if (isMatching) return () => output;
  child.kill('SIGKILL');
  return null;
}
