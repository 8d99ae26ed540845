import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AgentClient } from '#libs/client/index.js';
import { transformedSources } from '../doubles/transformed-sources.js';
import { ServiceProcess } from '../world/service-process.js';
import { newFolder, settingsIn } from '../world.js';

const SAMPLE_MS = 200;
const MEBIBYTE = 1024 * 1024;

/** Durations in ms. */
export interface Latency {
  readonly requests: number;
  readonly median: number;
  readonly p99: number;
}

export interface Outcome {
  readonly latency: Latency;
  /** Samples of the service process in MiB. */
  readonly memory: readonly number[];
  readonly answers: { readonly [status: string]: number };
}

/** The service in its production form on a small heap, with an agent working on it. */
export class Attacked {
  readonly statuses: number[] = [];
  private durations: number[] = [];
  private works = 0;

  private constructor(
    private readonly folder: string,
    readonly service: ServiceProcess,
    private readonly agent: AgentClient,
  ) {}

  static async start(): Promise<Attacked> {
    const folder = newFolder();
    const environment = { ...settingsIn(folder), METRICS_PORT: '0', NODE_OPTIONS: '--max-old-space-size=512' };
    const service = await ServiceProcess.whole(folder, environment);
    // Holds the object before it exists, so that its first requests are measured too.
    const holder: { attacked?: Attacked } = {};
    const measured: typeof fetch = (...request) => holder.attacked?.measured(request) ?? fetch(...request);
    const agent = await AgentClient.quickstart(service.url, { kind: 'worker' }, { fetch: measured });
    await agent.join({ headline: 'Works while others attack.' });
    return (holder.attacked = new Attacked(folder, service, agent));
  }

  async stop(): Promise<number | null> {
    const code = await this.service.stop();
    rmSync(this.folder, { recursive: true });
    return code;
  }

  async idle(ms: number): Promise<Latency> {
    const endsAt = Date.now() + ms;
    return this.working(() => Date.now() < endsAt);
  }

  async during(attack: string, ms: number): Promise<Outcome> {
    const program = join(transformedSources(), 'test', 'faults', 'attacker.process.js');
    const attacker = spawn(process.execPath, [program, attack, this.service.url, String(ms)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    attacker.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
    let isOver = false;
    const ended = once(attacker, 'exit').then(() => (isOver = true));
    const [latency, memory] = await Promise.all([this.working(() => !isOver), this.sampled(() => !isOver)]);
    await ended;
    return { latency, memory, answers: JSON.parse(told) as Outcome['answers'] };
  }

  private async working(goesOn: () => boolean): Promise<Latency> {
    this.durations = [];
    while (goesOn() || this.durations.length === 0) {
      await this.agent.profile({ headline: `Works, for the ${(this.works += 1)}th time.` });
      await this.agent.ownProfile();
      await this.agent.roles();
    }
    const sorted = [...this.durations].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
    return { requests: sorted.length, median: at(0.5), p99: at(0.99) };
  }

  private async measured(request: Parameters<typeof fetch>): Promise<Response> {
    const startedAt = performance.now();
    const response = await fetch(...request);
    this.durations.push(performance.now() - startedAt);
    this.statuses.push(response.status);
    return response;
  }

  private async sampled(goesOn: () => boolean): Promise<number[]> {
    const found: number[] = [];
    while (goesOn()) {
      const text = await (await fetch(`${this.service.metricsUrl}/metrics`)).text();
      found.push(Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1]) / MEBIBYTE);
      await new Promise(resolve => setTimeout(resolve, SAMPLE_MS));
    }
    return found;
  }
}
