import { readFileSync, rmSync } from 'node:fs';
import pino from 'pino';
import { startService } from '#apps/gateway/service.js';
import { Journal } from '#libs/event-log/journal.js';
import type { EventLog } from '#libs/event-log/port.js';
import type { Timing } from '#libs/payments/timing.js';
import { readSettings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';

/**
 * A whole service in a process of its own, set by the environment, that dies at a point which a file names: as if the
 * machine had lost its power there. `CRASH_FILE` is looked at anew each time, so one process can be told later.
 */
const crashFile = process.env['CRASH_FILE'] ?? '';
const timing = JSON.parse(process.env['PAYMENT_TIMING'] ?? '{}') as Partial<Timing>;

function dieAt(point: string): void {
  if (crashFile === '' || !wanted().includes(point)) return;
  rmSync(crashFile);
  process.kill(process.pid, 'SIGKILL');
}

function wanted(): string {
  try {
    return readFileSync(crashFile, 'utf8');
  } catch {
    return '';
  }
}

/** A log that may die before and after it has written an event. */
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

const service = await startService(
  readSettings(process.env),
  pino({ level: process.env['WORLD_LOG'] ?? 'silent' }, pino.destination(2)),
  {
    payments: { timing, afterStep: step => dieAt(`[step ${step.do}]`) },
    stores: mortal,
  },
);
process.stdout.write(`${JSON.stringify({ url: service.url, rpc: service.chains.dev?.rpc })}\n`);
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)));
