import { expect, test } from '@jest/globals';
import { TIMING } from '#libs/payments/timing.js';
import { Watchdog, type WatchdogDependencies } from '#libs/payments/watchdog.js';
import { refusalOf } from '../in-memory-stores.js';
import { Bench } from './bench.js';

/** Creates a watchdog over payments that stay open and records the order of its work. */
function watching(ids: string[], isMine: (payment: string) => boolean = () => true) {
  const driven: string[] = [];
  const parts = {
    open: { all: async () => ids.map(id => ({ id })) },
    assignment: { join: async () => isMine, leave: async () => undefined },
    finality: { runPass: async () => undefined },
    escrows: { runPass: async () => undefined },
    driver: { isDriving: () => false, drive: async (id: string) => void driven.push(id) },
    timing: TIMING,
    report: (error: unknown) => driven.push(String(error)),
  };
  return { driven, watchdog: new Watchdog(parts as unknown as WatchdogDependencies) };
}

test('a new payment does not wait for stuck payments, which take turns', async () => {
  const stuck = Array.from({ length: 200 }, (_, n) => `stuck-${n}`);
  const ids = [...stuck];
  const { driven, watchdog } = watching(ids);
  await watchdog.runPass();
  expect(driven).toEqual(stuck);
  driven.length = 0;
  ids.push('new');
  await watchdog.runPass();
  expect(driven[0]).toBe('new');
  expect(driven.length).toBeLessThan(100);
  for (let pass = 0; pass < 3; pass += 1) await watchdog.runPass();
  expect(new Set(driven)).toEqual(new Set(ids));
});

test('skips the payments of another process', async () => {
  const { driven, watchdog } = watching(['mine', 'another'], payment => payment === 'mine');
  await watchdog.runPass();
  expect(driven).toEqual(['mine']);
});

test('drives each payment in one process and takes over after a process stops', async () => {
  const bench = new Bench();
  bench.chain.automine = false;
  const driven: string[][] = [[], []];
  const processes = [0, 1].map(n =>
    bench.process({ beforeStep: (_step, payment) => void driven[n]!.push(payment), timing: { waitMs: 0 } }),
  );
  for (let n = 0; n < 8; n += 1) {
    const presented = await bench.pay();
    const things = [{ kind: 'purchase' as const, value: presented.paymentId }];
    await refusalOf(bench.buy(processes[0]!, bench.request(presented), { things }));
  }
  for (const payments of [...processes, ...processes]) await payments.reconcile();
  driven.forEach(all => (all.length = 0));
  for (const payments of processes) await payments.reconcile();
  const [first, second] = driven.map(all => new Set(all)) as [Set<string>, Set<string>];
  expect(first.size + second.size).toBe(8);
  expect([...first].filter(payment => second.has(payment))).toEqual([]);
  await processes[0]!.stop();
  bench.chain.mine();
  await processes[1]!.reconcile();
  expect(await processes[1]!.listOpen()).toEqual([]);
});
