import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import pino from 'pino';
import { startProjectionThread } from '#libs/service/projection-thread-host.js';
import { startService } from '#apps/gateway/service.js';
import { Journal } from '#libs/event-log/journal.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { Facilitator } from '#libs/payments/facilitator.js';
import { FacilitatorChain } from '#libs/payments/facilitator.chain.js';
import type { Timing } from '#libs/payments/timing.js';
import type { Chains } from '#libs/setup/chains.js';
import { readSettings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';
import { SLEEP } from './sleep.js';

/**
 * Runs a whole service that dies, or sleeps until it is woken, at a point named in `CRASH_FILE`. It waits for its
 * settings as a line of JSON, so that it can be preloaded.
 */
const input = createInterface({ input: process.stdin });
const [line] = (await Promise.race([once(input, 'line'), once(input, 'close')])) as [string?];
if (line === undefined) process.exit(0);
const environment = JSON.parse(line) as { readonly [name: string]: string };
const crashFile = environment['CRASH_FILE'] ?? '';
const timing = JSON.parse(environment['PAYMENT_TIMING'] ?? '{}') as Partial<Timing>;

const FACILITATOR_TIMEOUT_MS = 1_000;

/**
 * `IDLE_BLOCKS=off` makes blocks only for transactions, so that a test can hold one back. `FACILITATOR` is the address of
 * a facilitator, which sends the payments on the development chain of Base.
 */
function chains(opened: Chains): Chains {
  if (opened.dev && environment['IDLE_BLOCKS'] === 'off') opened.dev.mineEmptyBlocks = async () => undefined;
  const url = environment['FACILITATOR'];
  const base = opened.chains.find(({ rail }) => rail.short === 'base')!;
  if (!url) return opened;
  const facilitator = new Facilitator({ url, headers: {}, timeoutMs: FACILITATOR_TIMEOUT_MS });
  return { ...opened, chains: [new FacilitatorChain(base.rail, opened.rpc['base']!, facilitator)] };
}

function dieAt(point: string): void {
  const points = crashFile === '' ? '' : wanted();
  if (!points.includes(point)) return;
  rmSync(crashFile);
  process.kill(process.pid, points.startsWith(SLEEP) ? 'SIGSTOP' : 'SIGKILL');
}

function wanted(): string {
  try {
    return readFileSync(crashFile, 'utf8');
  } catch {
    return '';
  }
}

/** A log that may die before and after it appends an event. */
function mortal(stores: Stores): Stores {
  const append: EventLog['append'] = async (stream, expected, events) => {
    events.forEach(({ type }) => dieAt(`[before ${type}]`));
    const stored = await stores.log.append(stream, expected, events);
    events.forEach(({ type }) => dieAt(`[after ${type}]`));
    return stored;
  };
  const log = new Proxy(stores.log, {
    get(target, name) {
      if (name === 'append') return append;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...stores, log, journal: new Journal(log, stores.codec) };
}

const settings = readSettings(environment);
const service = await startService(
  settings,
  pino({ level: process.env['WORLD_LOG'] ?? 'silent' }, pino.destination(2)),
  {
    payments: {
      timing,
      beforeStep: step => dieAt(`[before step ${step.do}]`),
      afterStep: step => dieAt(`[after step ${step.do}]`),
      beforeEscrowStep: step => dieAt(`[before escrow step ${step.do}]`),
      afterEscrowStep: step => dieAt(`[after escrow step ${step.do}]`),
    },
    stores: mortal,
    chains,
  },
  startProjectionThread({ settings }),
);
process.stdout.write(`${JSON.stringify({ url: service.url, rpc: service.chains.dev?.rpc })}\n`);
const stop = () => void service.stop().then(() => process.exit(0));
process.on('SIGTERM', stop);
input.on('close', stop);
