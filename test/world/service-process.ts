import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { bundledProgram } from '../doubles/bundled-programs.js';
import { builtPrograms } from './built-programs.js';
import { recordErrors } from './logged-errors.js';

const START_TIMEOUT_MS = 60_000;
/** A process that is told to stand still does within so long. */
const STANDS_MS = 20;
const LOCKS = '/proc/locks';
/** `WORLD=apart` runs what users start; all else what is quickest to have. */
const IS_APART = process.env['WORLD'] === 'apart';

export type Environment = { readonly [name: string]: string };

type App = 'gateway' | 'projector';

/** What a process needs to run at all; nothing that could be a setting. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR'];

/** One of the service's own programs, run as `npm run start:gateway` and `npm run start:projector` run them. */
export class ServiceProcess {
  isKilled = false;

  private constructor(
    private readonly child: ChildProcess,
    /** What it said once it was ready. */
    readonly said: string,
    /** Resolves to the exit code once the process has ended; null where a signal ended it. */
    readonly ended: Promise<number | null>,
  ) {}

  /** A gateway without projections; `urlOf` says where it listens. */
  static gateway(folder: string, environment: Environment): Promise<ServiceProcess> {
    return ServiceProcess.start(folder, environment, 'gateway', '--apart');
  }

  static projector(folder: string, environment: Environment): Promise<ServiceProcess> {
    return ServiceProcess.start(folder, environment, 'projector');
  }

  /** The whole service, as `npm start` runs it. */
  static whole(folder: string, environment: Environment): Promise<ServiceProcess> {
    return ServiceProcess.start(folder, environment, 'gateway');
  }

  /** Where a gateway listens: `listens` stands there where its public address is another. */
  get url(): string {
    return this.row('listens') ?? this.row('address')!;
  }

  /** The address of its `/metrics`. */
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
   * Stopped dead in its tracks, as a machine that hangs; `resume` lets it go on. Not while it writes to a file of SQLite:
   * on one machine everybody who writes there would wait for it, and nobody would be left to go on.
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

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Ends as an operator ends it; answers the exit code. */
  async stop(): Promise<number | null> {
    // One that a failed test left standing still hears of no other signal.
    this.resume();
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    return this.ended;
  }

  private static async start(folder: string, environment: Environment, app: App, ...args: string[]) {
    const program = IS_APART ? join(builtPrograms(), `${app}.js`) : bundledProgram(app);
    const level = process.env['WORLD_LOG'] ?? 'error';
    const env = { ...inherited(), LOG_LEVEL: level, ...environment };
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)));
    return new ServiceProcess(child, await ready(child, ended, app), ended);
  }
}

/** Whether a process holds a lock to write, as Linux says. */
const isWriting = (pid: number) =>
  existsSync(LOCKS) &&
  readFileSync(LOCKS, 'utf8')
    .split('\n')
    .some(lock => lock.includes(` WRITE ${pid} `));

function inherited(): Environment {
  return Object.fromEntries(INHERITED.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** What it printed once it was running. Throws what it printed instead where it ended. */
async function ready(child: ChildProcess, ended: Promise<unknown>, app: string): Promise<string> {
  let [said, complained] = ['', ''];
  const running = new Promise<boolean>(resolve => {
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (/ is running\.[^]*\n/.test(said)) resolve(true);
    });
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    complained += chunk.toString('utf8');
    if (process.env['WORLD_LOG']) process.stderr.write(chunk);
  });
  createInterface({ input: child.stderr! }).on('line', recordErrors);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => (timer = setTimeout(() => resolve(false), START_TIMEOUT_MS)));
  const isRunning = await Promise.race([running, ended.then(() => false), late]);
  clearTimeout(timer);
  if (isRunning) return said;
  child.kill('SIGKILL');
  throw new Error(`The process of the ${app} did not start: ${complained.trim() || 'it said nothing'}`);
}
