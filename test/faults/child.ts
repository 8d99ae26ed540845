import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledProgram } from '../doubles/transformed-sources.js';
import { type Environment, inherited, outputWith } from '../world/service-process.js';
import { settingsIn, World, type WorldOptions } from '../world.js';
import { SLEEP } from './sleep.js';

const ASLEEP_LOOKS_MAX = 500;
const ASLEEP_LOOK_MS = 20;

interface Started {
  readonly url: string;
  readonly rpc: { readonly [short: string]: string };
}

/** A whole service in its own process on the folder of a `World`. */
export class Child {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly url: string,
    readonly rpc: { readonly [short: string]: string },
    readonly ended: Promise<void>,
  ) {}

  static async start(folder: string, environment: Environment = {}): Promise<Child> {
    const process = spawnService(folder, environment);
    const ended = endOf(process);
    const { url, rpc } = await started(process, ended);
    return new Child(process, folder, url, rpc, ended);
  }

  /** Starts a service that dies at one of these points before its first request. */
  static async startAndDie(folder: string, environment: Environment, ...points: string[]): Promise<void> {
    writeFileSync(crashFile(folder), points.join());
    await endOf(spawnService(folder, environment));
  }

  /** Makes the process die at the first of these points: `[after step broadcast]`, `[before PaymentAccepted]`. */
  dieAt(...points: string[]): void {
    writeFileSync(crashFile(this.folder), points.join());
  }

  /** Stops the process at the next of these points until `wake`. */
  sleepAt(...points: string[]): void {
    writeFileSync(crashFile(this.folder), `${SLEEP}${points.join()}`);
  }

  async asleep(): Promise<void> {
    for (let looks = 1; existsSync(crashFile(this.folder)); looks += 1) {
      if (looks === ASLEEP_LOOKS_MAX) throw new Error('The process came to none of the points.');
      await new Promise(resolve => setTimeout(resolve, ASLEEP_LOOK_MS));
    }
  }

  freeze(): void {
    this.process.kill('SIGSTOP');
  }

  wake(): void {
    this.process.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  /** Stops the process like an operator, including the nodes of the development chain. */
  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill('SIGTERM');
    await this.ended;
  }
}

/** Starts a world and a second service on its folder. */
export async function startPair(options: WorldOptions = {}): Promise<[world: World, child: Child]> {
  const world = await World.start({ ...options, overrides: { isAlone: false, ...options.overrides } });
  // Receipts name the address of the service.
  return [world, await Child.start(world.folder, { BASE_URL: world.url, ...options.settings })];
}

export async function stopPair(world: World, child: Child): Promise<void> {
  await Promise.all([child.stop(), endStandby()]);
  await world.stop();
}

/** Preloads the next process, since loading takes longer than starting. */
let standby: ChildProcess | undefined;

function spawnService(folder: string, environment: Environment): ChildProcess {
  const process = standby ?? load();
  standby = load();
  process.stdin!.write(`${JSON.stringify({ ...settingsIn(folder), CRASH_FILE: crashFile(folder), ...environment })}\n`);
  return process;
}

function load(): ChildProcess {
  const program = bundledProgram('service-process');
  return spawn(globalThis.process.execPath, [program], { env: inherited(), stdio: ['pipe', 'pipe', 'inherit'] });
}

export async function endStandby(): Promise<void> {
  const last = standby;
  standby = undefined;
  if (!last) return;
  const ended = endOf(last);
  last.kill('SIGKILL');
  await ended;
}

const endOf = (process: ChildProcess) => new Promise<void>(resolve => process.once('exit', () => resolve()));

const crashFile = (folder: string) => join(folder, 'crash');

async function started(process: ChildProcess, ended: Promise<void>): Promise<Started> {
  const output = await outputWith(/\n/, process, ended);
  if (output === null) throw new Error('The service’s process did not start.');
  return JSON.parse(output().split('\n', 1)[0]!) as Started;
}
