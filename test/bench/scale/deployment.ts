import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '#libs/payments/devchain/processes.js';
import { openOwnChains } from '#libs/service/chain-openers.js';
import type { Chains } from '#libs/setup/chains.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores, type Stores } from '#libs/setup/stores.js';
import { withClient } from '../../contract/mongodb.server.js';
import type { CallCounts } from '../../doubles/eventstoredb/call-counts.js';
import { messageOf, run } from '../child.js';
import { environmentOf } from '../folder.js';
import { processorMs, startedWith } from './processor-time.js';

const START_MS = 180_000;
const LOOK_MS = 100;
const APPS = join(import.meta.dirname, '..', '..', '..', 'apps');

export interface Size {
  readonly gateways: number;
  readonly projectors: number;
}

export type Times = { readonly [kind in 'gateways' | 'projectors' | 'eventstoredb' | 'mongodb']: number };

interface Process {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Gateways and projectors on a double of EventStoreDB and a MongoDB server. */
export class Deployment {
  private isStopped = false;

  private constructor(
    private readonly double: ChildProcess,
    private readonly mongodb: { readonly url: string; readonly pid: number | undefined },
    readonly gateways: Process[],
    readonly projectors: Process[],
    readonly stores: Stores,
    /** Started before the processes, so that none of them owns the chains. */
    private readonly chains: Chains,
  ) {}

  /** Uses its own database on the server at `mongodbUrl`. */
  static async start(dataDir: string, mongodbUrl: string, size: Size): Promise<Deployment> {
    const double = run('scale/double.process.js');
    const { url: eventStore } = await messageOf<{ url: string }>(double);
    const ports = await Promise.all(Array.from({ length: size.gateways }, findFreePort));
    const server = new URL(mongodbUrl);
    server.pathname = `/scale_${process.pid}_${size.gateways}_${size.projectors}`;
    const stores = {
      EVENT_LOG: 'eventstoredb',
      EVENTSTORE_URL: eventStore,
      DOCUMENTS: 'mongodb',
      MONGODB_URL: server.href,
    };
    const base = {
      ...environmentOf(dataDir, 'dev'),
      ...stores,
      RATE_LIMITS: 'off',
      BASE_URL: `http://127.0.0.1:${ports[0]}`,
    };
    const settings = readSettings(base);
    const opened = await openStores(settings);
    const chains = await openOwnChains(settings, clockOf(settings), () => undefined, opened.vault);
    const projectors = Array.from({ length: size.projectors }, () => start(base, 'projector'));
    const gateways = ports.map(port => start({ ...base, PORT: String(port) }, 'gateway', '--apart'));
    const mongodb = { url: server.href, pid: startedWith(server.port) };
    const deployment = new Deployment(double, mongodb, gateways, projectors, opened, chains);
    try {
      await Promise.all(gateways.map(answers));
      return deployment;
    } catch (error) {
      await deployment.stop();
      throw error;
    }
  }

  async calls(): Promise<CallCounts> {
    const answered = once(this.double, 'message');
    this.double.send('calls');
    return ((await answered) as [CallCounts])[0];
  }

  times(): Times {
    const sum = (all: readonly Process[]) => all.reduce((sum, { child }) => sum + processorMs(child.pid), 0);
    const [eventstoredb, mongodb] = [processorMs(this.double.pid), processorMs(this.mongodb.pid)];
    return { gateways: sum(this.gateways), projectors: sum(this.projectors), eventstoredb, mongodb };
  }

  /** Kills the busiest process without warning, like a power loss: of the projectors the active one. */
  async kill(kind: 'gateways' | 'projectors'): Promise<void> {
    this[kind].sort((a, b) => processorMs(a.child.pid) - processorMs(b.child.pid));
    const { child } = this[kind].pop()!;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async stop(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    await this.stores.close();
    const running = [...this.gateways, ...this.projectors].filter(({ child }) => child.exitCode === null);
    await Promise.all(
      running.map(async ({ child }) => {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }),
    );
    await this.chains.dev?.stop();
    this.double.disconnect();
    await withClient(this.mongodb.url, client => client.db().dropDatabase());
  }
}

function start(environment: { readonly [name: string]: string }, app: string, ...args: string[]): Process {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment, LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [join(APPS, app, 'main.js'), ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { child, url: `http://127.0.0.1:${environment['PORT']}` };
}

async function answers({ child, url }: Process): Promise<void> {
  for (const until = Date.now() + START_MS; Date.now() < until; await pause(LOOK_MS)) {
    if (child.exitCode !== null) throw new Error(`A gateway ended with ${child.exitCode}.`);
    const { status } = await fetch(`${url}/api/health`).catch(() => ({ status: 0 }));
    if (status === 200) return;
  }
  throw new Error('A gateway did not start.');
}
