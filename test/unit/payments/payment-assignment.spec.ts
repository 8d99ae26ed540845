import { expect, test } from '@jest/globals';
import { PaymentAssignment } from '#libs/payments/watchdog.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';
import { TestClock } from '../../doubles/test-clock.js';

const PAYMENTS = Array.from({ length: 300 }, (_, n) => `payment-${n}`);

function shared() {
  const [coordination, clock] = [new MemoryCoordination(), new TestClock()];
  return { clock, driver: (name: string) => new PaymentAssignment(coordination, clock, name) };
}

/** Returns the payments of each process after all have joined. */
async function sharesOf(drivers: readonly PaymentAssignment[]): Promise<string[][]> {
  for (const driver of drivers) await driver.join();
  const mine = await Promise.all(drivers.map(driver => driver.join()));
  return mine.map(isMine => PAYMENTS.filter(isMine));
}

test('each payment belongs to one process and each process has some payments', async () => {
  const { driver } = shared();
  const shares = await sharesOf(['a', 'b', 'c'].map(driver));
  expect(shares.flat().sort()).toEqual([...PAYMENTS].sort());
  for (const share of shares) expect(share.length).toBeGreaterThan(PAYMENTS.length / 6);
});

test('a leaving process hands over its payments and the others keep theirs', async () => {
  const { driver } = shared();
  const [a, b, c] = ['a', 'b', 'c'].map(driver) as [PaymentAssignment, PaymentAssignment, PaymentAssignment];
  const [hadA, hadB] = await sharesOf([a, b, c]);
  await c.leave();
  const [hasA, hasB] = await sharesOf([a, b]);
  expect([...hasA!, ...hasB!].sort()).toEqual([...PAYMENTS].sort());
  expect(hasA).toEqual(expect.arrayContaining(hadA!));
  expect(hasB).toEqual(expect.arrayContaining(hadB!));
});

test('a killed process keeps its payments for 15 seconds', async () => {
  const { driver, clock } = shared();
  const [living, killed] = [driver('a'), driver('b')];
  const [before] = await sharesOf([living, killed]);
  clock.advance(14_999);
  expect(await sharesOf([living])).toEqual([before]);
  clock.advance(1);
  expect(await sharesOf([living])).toEqual([PAYMENTS]);
});

test('a process beyond the maximum gets payments only after another one leaves', async () => {
  const { driver } = shared();
  const all = Array.from({ length: 17 }, (_, n) => driver(`process-${n}`));
  const shares = await sharesOf(all);
  expect(shares.at(-1)).toEqual([]);
  expect(shares.flat().sort()).toEqual([...PAYMENTS].sort());
  await all[0]!.leave();
  expect((await sharesOf([all[16]!]))[0]!.length).toBeGreaterThan(0);
});
