import { afterEach, expect, jest, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import { CALLS, END_OF, useEscrowProcesses } from './escrow.processes.js';
import { securedIn, settledIn } from './escrow.events.js';

/** The chain of these processes is final after 40 blocks. */
const use = useEscrowProcesses();
afterEach(() => expect(use.processes.escrow.reported).toEqual([]));

async function funded() {
  const { processes } = use;
  const payload = await processes.escrow.fund();
  return { processes, escrow: processes.escrow, payload, payments: processes.start() };
}

test('an escrow is secured once its block is final, which the log says once', async () => {
  const { processes, escrow, payload, payments } = await funded();
  await payments.reconcile();
  expect(securedIn(escrow.log, payload)).toEqual([]);
  await processes.mineUntilFinal();
  for (const _ of ['seen', 'again']) await payments.reconcile();
  const [secured, ...others] = securedIn(escrow.log, payload);
  expect(others).toEqual([]);
  const parties = { hire: 7, role: 'a-job', poster: 'agent_0123456789', worker: 'agent_worker0000' };
  const { tx, block } = settledIn(escrow.log, payload);
  expect(secured).toMatchObject({ payment: payload.paymentId, ...parties, tx, block });
  expect(secured!.final_block).toBeGreaterThanOrEqual(block);
});

test('escrows that wait for a final block cost one look, and secured ones none', async () => {
  const { processes, escrow, payments } = await funded();
  await escrow.fund();
  await payments.reconcile();
  const calls = (['heads', 'view', 'receipt'] as const).map(name => jest.spyOn(escrow.chain, name));
  const counts = () => calls.map(call => call.mock.calls.splice(0).length);
  await payments.reconcile();
  // The watcher of final payments reads the heads too.
  expect(counts()).toEqual([2, 0, 0]);
  await processes.mineUntilFinal();
  for (const _ of ['seen', 'read']) await payments.reconcile();
  counts();
  await payments.reconcile();
  expect(counts()).toEqual([0, 0, 0]);
});

test.each(CALLS)('an escrow that ends by %s before its block is final is never called secured', async call => {
  const { processes, escrow, payload, payments } = await funded();
  await processes.decide(payload, call);
  await processes.runUntil(payments, () => processes.endsOf(payload).length > 0);
  expect(processes.endsOf(payload)).toEqual([END_OF[call]]);
  await processes.mineUntilFinal();
  for (const _ of ['final', 'later']) await payments.reconcile();
  expect(securedIn(escrow.log, payload)).toEqual([]);
});

test('an escrow that its payer takes back before a look is never called secured', async () => {
  const { processes, escrow, payload, payments } = await funded();
  await processes.advance(2 * DAY_MS);
  await escrow.callAsPayer('reclaim', payload);
  await processes.runUntil(payments, () => processes.endsOf(payload).length > 0);
  expect(processes.endsOf(payload)).toEqual(['EscrowReturned']);
  await processes.mineUntilFinal();
  await payments.reconcile();
  expect(securedIn(escrow.log, payload)).toEqual([]);
});

test('an escrow whose funding moved to another block is secured by that block', async () => {
  const { processes } = use;
  const { escrow } = processes;
  const snapshot = await processes.snapshot();
  const payload = await escrow.fund();
  const payments = processes.start();
  const before = settledIn(escrow.log, payload).block;
  await processes.revert(snapshot);
  await processes.provider.send('anvil_mine', ['0x3']);
  await processes.runUntil(payments, () => settledIn(escrow.log, payload).block !== before);
  expect(securedIn(escrow.log, payload)).toEqual([]);
  await processes.mineUntilFinal();
  await processes.runUntil(payments, () => securedIn(escrow.log, payload).length > 0);
  expect(securedIn(escrow.log, payload)).toMatchObject([settledIn(escrow.log, payload)]);
});

test('an escrow is secured once by two processes that start later', async () => {
  const { processes, escrow, payload, payments } = await funded();
  await payments.reconcile();
  await payments.stop();
  await processes.mineUntilFinal();
  await processes.pass();
  const heirs = [processes.start(), processes.start()];
  for (const _ of ['seen', 'again']) {
    await Promise.all(heirs.map(heir => heir.reconcile()));
    await processes.pass();
  }
  expect(securedIn(escrow.log, payload)).toHaveLength(1);
});
