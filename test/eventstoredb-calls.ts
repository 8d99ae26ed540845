import { setTimeout as pause } from 'node:timers/promises';
import type { Overrides } from '#apps/gateway/service.js';
import type { AgentClient } from '#libs/client/index.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { TIMING } from '#libs/payments/timing.js';
import { type CallCounts, callsBetween } from './doubles/eventstoredb/call-counts.js';
import { EventStoreDouble } from './doubles/eventstoredb/server.js';
import { newNonce, quickstart, send } from './raw-agent.js';
import { World } from './world.js';

/** Measured requests, sequential except for `32 at once`; `idle` is a second without requests. */
export const COUNTED_CALLS = [
  'free job by token',
  '32 at once',
  'application',
  'post',
  'hire',
  'paid job',
  'health',
  'idle',
] as const;
export type CountedCall = (typeof COUNTED_CALLS)[number];

/** EventStoreDB calls per request, including those of its followers. */
export type Calls = { readonly [what in CountedCall]: CallCounts };

const AT_ONCE = 32;
const IDLE_MS = 1_000;
/** Time in which the followers of a request finish. */
const FOLLOWED_MS = 150;
const job = { title: 'Translate a page', summary: 'From English to French.', done: 'A page at an address.' };

/** Timed passes, which read the log too, as often as in use. */
const AS_IN_USE: Overrides = { dueEveryMs: 5 * SECOND_MS, payments: { timing: TIMING } };

/** Counts the average EventStoreDB calls of one gateway with its projections per request. */
export async function countCalls(requests: number, overrides = AS_IN_USE): Promise<Calls> {
  const double = await EventStoreDouble.start();
  const settings = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url };
  const world = await World.start({ settings, overrides });
  try {
    return await new CallCounter(world, double, requests).all();
  } finally {
    await world.stop();
    await double.kill();
  }
}

class CallCounter {
  constructor(
    private readonly world: World,
    private readonly double: EventStoreDouble,
    private readonly requests: number,
  ) {}

  async all(): Promise<Calls> {
    const { world, requests } = this;
    const [poster, worker] = (await world.agents('poster', 'worker')) as [AgentClient, AgentClient];
    const { headers } = await quickstart(world.url, { kind: 'asker' });
    const roles: string[] = [];
    const post = async (title: string) => {
      const own = { ...headers, 'idempotency-key': newNonce(), 'min-position': '0' };
      const { status } = await send(world.url, '/api/job', { body: { ...job, title }, headers: own });
      if (status !== 200) throw new Error(`A job by token was answered with ${status}.`);
    };
    const byToken = await this.each(at => post(`Free job ${at}`));
    const together = await this.each(async () => {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => post(`One of many, the ${at}.`)));
    }, AT_ONCE);
    const fee = { budgetUsd: '10', rail: 'usdc-base' } as const;
    const paid = await this.each(async at => {
      roles.push((await poster.job({ ...job, title: `Paid job ${at}`, ...fee })).role);
    });
    const applied = await this.each(async at => void (await worker.apply({ role: roles[at]!, note: 'I am fluent.' })));
    const posted = await this.each(async at => void (await poster.post({ text: `Something new, the ${at}.` })));
    const hired = await this.each(async at => void (await poster.hire({ role: roles[at]!, to: worker.museId })));
    const askHealth = async () => void (await send(world.url, '/api/health'));
    // The first request counts the backlogs once; later responses reuse these counts.
    await askHealth();
    await post('A job that most reactions have not passed yet');
    const health = await this.each(askHealth);
    const before = this.now();
    await pause(IDLE_MS);
    const idle = callsBetween(before, this.now());
    if (roles.length !== requests) throw new Error('Not every job was posted.');
    const byKind = { application: applied, post: posted, hire: hired, 'paid job': paid, health, idle };
    return { 'free job by token': byToken, '32 at once': together, ...byKind };
  }

  private now(): CallCounts {
    return { ...this.double.faults.calls };
  }

  private async each(ask: (at: number) => Promise<void>, atOnce = 1): Promise<CallCounts> {
    await this.followed();
    const before = this.now();
    for (let at = 0; at < this.requests; at += 1) {
      await ask(at);
      await this.followed();
    }
    const counts = Object.entries(callsBetween(before, this.now()));
    return Object.fromEntries(
      counts.map(([kind, count]) => [kind, count / this.requests / atOnce]),
    ) as unknown as CallCounts;
  }

  private async followed(): Promise<void> {
    await pause(FOLLOWED_MS);
  }
}
