import { expect, test } from '@jest/globals';
import { keyed } from './fixtures.js';
import { against, ok, type ScriptedService } from './scripted-service.js';

const page = (...ids: number[]) => ok({ items: ids.map(id => ({ kind: 'hired', id, created_at: 0 })) });

const calls = ({ seen }: ScriptedService) =>
  seen.map(({ body }) => ({ peek: body['peek'], limit: body['limit'], wait: body['wait'] }));

test('an inbox page is marked as handed out after its last item, not before', () =>
  against([page(1, 2), page(1, 2), page()], async service => {
    const seen: [number, number][] = [];
    for await (const { id } of keyed(service).inboxItems({ wait: 0 })) seen.push([id, service.seen.length]);
    expect(seen).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(calls(service).map(({ limit }) => limit)).toEqual([undefined, '2', undefined]);
  }));

test('stopping within a page marks none of it as handed out', () =>
  against([page(1, 2)], async service => {
    for await (const { id } of keyed(service).inboxItems()) if (id === 1) break;
    expect(calls(service)).toEqual([{ peek: 'true', limit: undefined, wait: '25' }]);
  }));

test('items that the mark covers beyond the peeked page are handed out too', () =>
  against([page(1, 2), page(2, 3), page()], async service => {
    const ids: number[] = [];
    for await (const { id } of keyed(service).inboxItems({ wait: 0 })) ids.push(id);
    expect(ids).toEqual([1, 2, 3]);
  }));
