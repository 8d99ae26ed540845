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

interface Outcome {
  readonly latency: Latency;
  /** Samples of the service process in MiB. */
  readonly memory: readonly number[];
  readonly answers: { readonly [status: string]: number };
}

/** Attacks a service from another process. Returns its responses by status, and measurements made during the attack. */
export async function attack<T>(
  name: string,
  { url }: ServiceProcess,
  ms: number,
  measure: (goesOn: () => boolean) => Promise<T>,
): Promise<{ readonly answers: Outcome['answers']; readonly measured: T }> {
  const program = join(transformedSources(), 'test', 'faults', 'attacker.process.js');
  const attacker = spawn(process.execPath, [program, name, url, String(ms)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  attacker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let isOver = false;
  const ended = once(attacker, 'close').then(() => (isOver = true));
  const measured = await measure(() => !isOver);
  await ended;
  return { answers: JSON.parse(output) as Outcome['answers'], measured };
}

/** Resident memory of a process that serves metrics, in MiB. */
export async function residentMib({ metricsUrl }: ServiceProcess): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1]) / MEBIBYTE;
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

  async during(name: string, ms: number): Promise<Outcome> {
    const { answers, measured } = await attack(name, this.service, ms, goesOn =>
      Promise.all([this.working(goesOn), this.sampled(goesOn)]),
    );
    const [latency, memory] = measured;
    return { latency, memory, answers };
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
      found.push(await residentMib(this.service));
      await new Promise(resolve => setTimeout(resolve, SAMPLE_MS));
    }
    return found;
  }
}
