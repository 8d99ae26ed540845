import { expect, test } from '@jest/globals';
import { Muse, ProfileUpdated } from '#libs/domain/muse.js';
import { ClockMoved, Service } from '#libs/domain/service.js';
import { AppendTimes } from '#libs/event-log/append-times.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { ViewsCounted, Views } from '#libs/features/identity/domain/views.js';
import { recordClockMove } from '#libs/endpoints/move-clock.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { TestClock } from '../doubles/test-clock.js';
import { InMemoryStores } from './in-memory-stores.js';

const ADA = 'agent_adaadaadaa';
const profile = (headline: string) => ProfileUpdated({ muse_id: ADA, headline });

/** A process with a clock of its own on the stores of another one. */
class Process {
  readonly clock: TestClock;
  private readonly journal: Journal;

  constructor(
    private readonly stores: InMemoryStores,
    { behindMs = 0, intervalMs = MINUTE_MS } = {},
  ) {
    this.clock = new TestClock(stores.clock.now() - behindMs);
    const moves = { type: ClockMoved.type, intervalMs, record: recordClockMove };
    const times = new AppendTimes(stores.log, stores.codec.types, this.clock, moves);
    this.journal = new Journal(stores.log, stores.codec, times);
  }

  async write(fact: Fact, more: Partial<CommandContext> = {}, writes = Muse.source(ADA)): Promise<string> {
    const context = this.stores.request(ADA, { at: this.clock.now(), ...more });
    const decide = () => [fact];
    return executeCommand(this.journal, context, { writes, decide }).then(
      () => 'written',
      (error: { code?: string }) => error.code ?? 'failed',
    );
  }
}

test('an event that is decided for over a minute is refused with took_too_long', async () => {
  const process = new Process(new InMemoryStores());
  const at = process.clock.now() - MINUTE_MS;
  expect(await process.write(profile('In time'), { at })).toBe('written');
  expect(await process.write(profile('Late'), { at: at - 1 })).toBe('took_too_long');
});

test('an event with the time of its cause and counted views are written however late', async () => {
  const process = new Process(new InMemoryStores());
  const at = process.clock.now() - HOUR_MS;
  expect(await process.write(profile('Follows'), { at, hasTimeOfCause: true })).toBe('written');
  const views = ViewsCounted({ views: { [ADA]: 1 } });
  expect(await process.write(views, { at }, Views.source(at) as never)).toBe('written');
});

test('a process whose clock is a minute behind the log says so before its next event', async () => {
  const stores = new InMemoryStores();
  expect(await new Process(stores).write(profile('Now'))).toBe('written');
  expect(await new Process(stores, { behindMs: MINUTE_MS }).write(profile('Nearly'))).toBe('written');
  const late = new Process(stores, { behindMs: HOUR_MS });
  expect(await late.write(profile('Behind'))).toBe('written');
  expect(await late.write(profile('Once only'))).toBe('written');
  expect(stores.types(Service.streamName())).toEqual(['ClockMoved']);
  const [moved] = stores.log.of(Service.streamName());
  expect(moved!.data).toEqual({ from: stores.clock.now(), to: late.clock.now() });
});

test('a process that falls behind again within a minute answers clock_behind', async () => {
  const stores = new InMemoryStores();
  const [one, other] = [new Process(stores), new Process(stores, { behindMs: HOUR_MS })];
  expect(await one.write(profile('Now'))).toBe('written');
  expect(await other.write(profile('Behind'))).toBe('written');
  one.clock.advance(SECOND_MS);
  expect(await one.write(profile('Ahead'))).toBe('written');
  expect(await other.write(profile('Behind again'))).toBe('clock_behind');
  const unlimited = new Process(stores, { behindMs: HOUR_MS, intervalMs: 0 });
  expect(await unlimited.write(profile('With the clock of a test'))).toBe('written');
});

test('a later process starts from the last clock move, not from the times before it', async () => {
  const stores = new InMemoryStores();
  expect(await new Process(stores).write(profile('Now'))).toBe('written');
  expect(await new Process(stores, { behindMs: HOUR_MS }).write(profile('Behind'))).toBe('written');
  expect(await new Process(stores, { behindMs: HOUR_MS }).write(profile('As late'))).toBe('written');
  expect(stores.types(Service.streamName())).toEqual(['ClockMoved']);
});
