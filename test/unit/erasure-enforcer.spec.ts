import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ERASURE_MARK } from '#libs/event-log/erasure-mark.js';
import { ErasureEnforcer } from '#libs/event-log/erasure-enforcer.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { POSITION_MAX, LOG_START } from '#libs/kernel/event.js';
import { Forgotten } from '#libs/domain/muse.js';
import { event } from '../contract/samples.js';
import { MemoryLog } from '../doubles/memory-log.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { until } from './documents/bench.js';

class WatchedLog extends MemoryLog {
  readonly readFrom: string[] = [];

  override readAll(...args: Parameters<MemoryLog['readAll']>) {
    this.readFrom.push(args[0]);
    return super.readAll(...args);
  }
}

const running: ErasureEnforcer[] = [];
let log: WatchedLog;
let vault: MemoryVault;
beforeEach(() => void ([log, vault] = [new WatchedLog(), new MemoryVault()]));
afterEach(() => Promise.all(running.splice(0).map(each => each.stop())));

function started(from = vault) {
  const keys: MuseKeys = new MuseKeys(from, () => forgotten.enforced());
  const forgotten = new ErasureEnforcer(log, keys, from);
  running.push(forgotten);
  return { keys, forgotten };
}
const forget = async (muse: string) => {
  const stream = `muse-${muse}`;
  await log.append(stream, 'any', [event(stream, muse, { type: Forgotten.type, data: { muse_id: muse } })]);
};
const markOf = async () => Buffer.from((await vault.get(ERASURE_MARK)) as Uint8Array).toString();

test('returns no key of a forgotten muse and reads the log on the first key request', async () => {
  const first = started();
  await first.keys.forSealing('ada');
  await first.forgotten.stop();
  await forget('ada');
  log.readFrom.splice(0);
  const next = started();
  expect(log.readFrom).toEqual([]);
  expect(await next.keys.forOpeningAll(new Set(['ada', 'ben']))).toEqual(
    new Map([
      ['ada', null],
      ['ben', null],
    ]),
  );
  expect(await next.keys.forSealing('ada')).toBeNull();
  expect(await vault.get('seal/ada')).toBe('destroyed');
});

test('resumes after a restart from the position in the vault', async () => {
  for (const muse of ['ada', 'ben']) await forget(muse);
  const first = started();
  expect(await first.forgotten.enforced()).toBe(await log.head());
  await forget('eve');
  await until(async () => (await vault.get('seal/eve')) === 'destroyed');
  await first.forgotten.stop();
  expect(await markOf()).toBe(await log.head());
  log.readFrom.splice(0);
  await started().forgotten.enforced();
  expect(new Set(log.readFrom)).toEqual(new Set([await log.head()]));
});

test('resumes from the older position of a restored vault', async () => {
  await forget('ada');
  const older = new MemoryVault();
  const first = started(older);
  await first.keys.forSealing('ben');
  await first.forgotten.stop();
  const before = await log.head();
  await forget('ben');
  log.readFrom.splice(0);
  expect(await started(older).keys.forOpening('ben')).toBeNull();
  expect(log.readFrom[0]).toBe(before);
});

test.each([
  ['of another log', POSITION_MAX],
  ['that is invalid', 'soon'],
])('reads from the beginning for a position %s', async (_, mark) => {
  await forget('ada');
  await vault.replace(ERASURE_MARK, Buffer.from(mark));
  await vault.putIfAbsent('seal/ada', Buffer.alloc(32));
  expect(await started().keys.forOpening('ada')).toBeNull();
  expect(log.readFrom[0]).toBe(LOG_START);
});

test('retries after an outage of the log', async () => {
  await vault.putIfAbsent('seal/ada', Buffer.alloc(32));
  await forget('ada');
  const { keys } = started();
  const readAll = log.readAll.bind(log);
  log.readAll = () => Promise.reject(new Error('away'));
  await expect(async () => keys.forOpening('ada')).rejects.toThrow('away');
  log.readAll = readAll;
  expect(await keys.forOpening('ada')).toBeNull();
});
