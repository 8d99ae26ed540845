import { expect, test } from '@jest/globals';
import { Backlog } from '#libs/documents/health.js';
import { LOG_START } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { MemoryLog } from '../../doubles/memory-log.js';
import { event } from '../../contract/samples.js';

/** Counts events read, and can block reads. */
class CountedLog extends MemoryLog {
  eventsRead = 0;
  gate: Promise<unknown> = Promise.resolve();

  override async readNews(...args: Parameters<MemoryLog['readNews']>) {
    await this.gate;
    const page = await super.readNews(...args);
    this.eventsRead += page.events.length;
    return page;
  }
}

async function grown(count: number) {
  const log = new CountedLog();
  const grow = async (type: string) => {
    const stream = `s${log.events.length}`;
    return (await log.append(stream, 'none', [event(stream, '1', { type })]))[0]!;
  };
  for (let at = 0; at < count; at += 1) await grow('Posted');
  return { log, grow };
}

test('reads each pending event once, however often the backlog is requested', async () => {
  const { log, grow } = await grown(5);
  const backlog = new Backlog(log);
  const ask = async (from: number) => backlog.measure(log.events[from]!.position, await log.head());
  expect(await ask(1)).toEqual({ lag: 3, waiting_since: log.events[2]!.at });
  for (let times = 0; times < 10; times += 1) await ask(1);
  await grow('Posted');
  expect(await ask(1)).toMatchObject({ lag: 4 });
  expect(await ask(4)).toEqual({ lag: 1, waiting_since: log.events[5]!.at });
  expect(await ask(5)).toEqual({ lag: 0, waiting_since: null });
  expect(log.eventsRead).toBe(4);
});

test('counts only events of the given types', async () => {
  const { log, grow } = await grown(3);
  await grow('Paid');
  expect(await new Backlog(log, ['Paid']).measure(LOG_START, await log.head())).toMatchObject({ lag: 1 });
});

test('counts from the start again after a checkpoint moved back', async () => {
  const { log } = await grown(4);
  const backlog = new Backlog(log);
  await backlog.measure(log.events[2]!.position, await log.head());
  expect(await backlog.measure(LOG_START, await log.head())).toMatchObject({ lag: 4 });
});

test('returns the last count while a slow log is read', async () => {
  const { log, grow } = await grown(2);
  const backlog = new Backlog(log);
  await backlog.measure(LOG_START, await log.head());
  await grow('Posted');
  let open: (value?: unknown) => void = () => undefined;
  log.gate = new Promise(resolve => (open = resolve));
  const began = performance.now();
  expect(await backlog.measure(LOG_START, await log.head())).toMatchObject({ lag: 2 });
  expect(performance.now() - began).toBeLessThan(500);
  open();
  await new Promise(resolve => setImmediate(resolve));
  expect(await backlog.measure(LOG_START, await log.head())).toMatchObject({ lag: 3 });
});

test('counts again for a checkpoint that moved during a count', async () => {
  const { log } = await grown(4);
  const backlog = new Backlog(log);
  let open: (value?: unknown) => void = () => undefined;
  log.gate = new Promise(resolve => (open = resolve));
  const head = await log.head();
  const measured = [backlog.measure(LOG_START, head), backlog.measure(log.events[1]!.position, head)];
  open();
  expect(await Promise.all(measured)).toMatchObject([{ lag: 2 }, { lag: 2 }]);
});

test('does not count what the log does not answer or does not have', async () => {
  const { log, grow } = await grown(2);
  const unknown = { lag: null, waiting_since: null };
  const backlog = new Backlog(log);
  expect(await backlog.measure(LOG_START, null)).toEqual(unknown);
  log.gate = Promise.reject(new Unavailable('The event log'));
  log.gate.catch(() => undefined);
  expect(await backlog.measure(LOG_START, await log.head())).toEqual(unknown);
  log.gate = Promise.resolve();
  expect(await backlog.measure(LOG_START, await log.head())).toMatchObject({ lag: 2 });
  const { position: lost } = await grow('Posted');
  const head = log.events[1]!.position;
  expect(await backlog.measure(lost, head)).toMatchObject({ lag: 0 });
  log.events.pop();
  expect(await backlog.measure(lost, head)).toEqual(unknown);
});
