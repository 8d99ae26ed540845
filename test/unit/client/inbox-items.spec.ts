import { expect, test } from '@jest/globals';
import type { InboxFields } from '#libs/client/index.js';
import { inboxItems } from '#libs/client/inbox-items.js';
import { ok, ScriptedService } from './scripted-service.js';
import { keyed } from './fixtures.js';

const page = (...ids: number[]) => ({ items: ids.map(id => ({ kind: 'hired', id, created_at: 0 })) });

/** Agent whose inbox returns these pages in turn, with the calls it made. */
async function asked(...pages: object[]) {
  const service = await ScriptedService.start(() => ok(pages.shift()));
  const calls = () =>
    service.seen.map(({ body }) => ({ peek: body['peek'], limit: body['limit'], wait: body['wait'] }));
  return { agent: keyed(service), calls, stop: () => service.stop() };
}

test('an inbox page is marked as handed out after its last item, not before', async () => {
  const { agent, calls, stop } = await asked(page(1, 2), page(1, 2), page());
  const seen: [number, number][] = [];
  for await (const { id } of agent.inboxItems({ wait: 0 })) seen.push([id, calls().length]);
  expect(seen).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(calls().map(({ limit }) => limit)).toEqual([undefined, '2', undefined]);
  await stop();
});

test('stopping within a page marks none of it as handed out', async () => {
  const { agent, calls, stop } = await asked(page(1, 2));
  for await (const { id } of agent.inboxItems()) if (id === 1) break;
  expect(calls()).toEqual([{ peek: 'true', limit: undefined, wait: '25' }]);
  await stop();
});

test('items that the mark covers beyond the peeked page are handed out too', async () => {
  const pages = [page(1, 2), page(2, 3), page()];
  const ids: number[] = [];
  const inbox = (_fields: InboxFields) => Promise.resolve(pages.shift() as never);
  for await (const { id } of inboxItems(inbox, { wait: 0 })) ids.push(id);
  expect(ids).toEqual([1, 2, 3]);
});
