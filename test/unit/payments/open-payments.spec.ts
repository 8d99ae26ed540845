import { expect, test } from '@jest/globals';
import { LOG_START } from '#libs/kernel/event.js';
import { OpenPayments } from '#libs/payments/open-payments.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { refusalOf } from '../in-memory-stores.js';
import { Bench } from './bench.js';

const openOf = (bench: Bench, log: Pick<EventLog, 'head' | 'readAll' | 'readNews'> = bench.log) =>
  new OpenPayments({ ...bench, log, chains: [bench.chain] });
const idsOf = async (open: OpenPayments) => (await open.all()).map(({ id }) => id);

async function waiting(bench: Bench, payments = bench.process()) {
  const presented = await bench.pay();
  const things = [{ kind: 'purchase' as const, value: presented.paymentId }];
  await refusalOf(bench.buy(payments, bench.request(presented), { things }));
  return presented.paymentId;
}

test('a payment is open from its acceptance to its end', async () => {
  const bench = new Bench();
  bench.chain.automine = false;
  const payments = bench.process();
  const [first, second] = [await waiting(bench, payments), await waiting(bench, payments)];
  expect((await payments.listOpen()).map(({ id }) => id)).toEqual([first, second]);
  bench.chain.mine();
  await payments.reconcile();
  expect(await payments.listOpen()).toEqual([]);
});

test('a new process resumes from the checkpoint, which stops at open payments', async () => {
  const bench = new Bench();
  await bench.buy(bench.process(), bench.request(await bench.pay()));
  bench.chain.automine = false;
  const open = await waiting(bench);
  const reads: string[] = [];
  const readAll = (...[after, limit, types]: Parameters<EventLog['readAll']>) => (
    reads.push(after),
    bench.log.readAll(after, limit, types)
  );
  const log = { head: () => bench.log.head(), readAll, readNews: readAll };
  const started = () => openOf(bench, log);
  expect(await idsOf(started())).toEqual([open]);
  expect(reads[0]).toBe(LOG_START);
  reads.length = 0;
  await idsOf(started());
  bench.chain.mine();
  await bench.process().reconcile();
  const last = started();
  expect(await idsOf(last)).toEqual([]);
  reads.length = 0;
  expect(await idsOf(last)).toEqual([]);
  expect(reads).toEqual([]);
  expect(await idsOf(started())).toEqual([]);
  expect(reads).toEqual([]);
});

test('reads the log from the beginning without a valid checkpoint', async () => {
  const bench = new Bench();
  bench.chain.automine = false;
  const open = await waiting(bench);
  await bench.coordination.putIfAbsent('payments/all-ended-up-to', '9'.repeat(LOG_START.length), Infinity, 0);
  expect(await idsOf(openOf(bench))).toEqual([open]);
});
