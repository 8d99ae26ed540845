import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { RequestTurns } from '#libs/http/request-turns.js';

const WORK_MS = 6;

function work(): void {
  const until = performance.now() + WORK_MS;
  while (performance.now() < until);
}

/** Begins requests of an address that each work longer than the requests of one turn may. */
function begun(turns: RequestTurns, order: string[]) {
  return (address: string, isUrgent = false) =>
    new Promise<void>(resolve => {
      turns.begin(address, isUrgent, () => {
        order.push(address);
        work();
        resolve();
      });
    });
}

test('an idle service begins a request at once', () => {
  let isBegun = false;
  new RequestTurns().begin('a', false, () => (isBegun = true));
  expect(isBegun).toBe(true);
});

test('addresses take turns however many requests one of them sends', async () => {
  const order: string[] = [];
  const begin = begun(new RequestTurns(), order);
  await Promise.all([...Array.from({ length: 6 }, () => begin('many')), begin('one'), begin('other')]);
  expect(order.indexOf('one')).toBeLessThan(4);
  expect(order.indexOf('other')).toBeLessThan(4);
  expect(order.filter(address => address === 'many')).toHaveLength(6);
});

test('urgent requests precede others but do not keep them out', async () => {
  const order: string[] = [];
  const begin = begun(new RequestTurns(), order);
  const all = [begin('many'), begin('many'), ...Array.from({ length: 4 }, () => begin('urgent', true))];
  await Promise.all(all);
  expect(order.slice(0, 3)).toEqual(['many', 'urgent', 'many']);
});

test('the event loop turns between requests that work for long', async () => {
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns += 1) await turn();
  })();
  const begin = begun(new RequestTurns(), []);
  await Promise.all(Array.from({ length: 4 }, () => begin('a')));
  isOver = true;
  await counting;
  expect(turns).toBeGreaterThan(8);
});
