import { expect, test } from '@jest/globals';
import { notInEvents } from '#libs/endpoints/decision.js';
import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { Connection } from '#libs/features/network/domain/connection.js';
import { buildCommandRoute } from '#libs/endpoints/routes.js';
import { defineCommand } from '#libs/endpoints/command.js';
import { CommandExecutor } from '#libs/endpoints/command-executor.js';
import * as w from '#libs/values/answer-schema.js';
import { FakePayments, httpRequest } from '../features/purchases.js';
import { POSTER, WORKER } from '../features/worlds.js';
import { InMemoryStores } from '../in-memory-stores.js';

test('parses a field once, from validation to decision', async () => {
  const parsed: string[] = [];
  const to = { ...c.museId, parse: (text: string) => (parsed.push(text), { muse: text }) };
  const decided: unknown[] = [];
  const meet = defineCommand('meet', {
    scope: 'work',
    who: 'anyone',
    fields: { to: needed(to) },
    events: [],
    fieldsFromEvent: notInEvents,
    answer: w.object({}),
    errors: [],
    doc: { tag: 'Network', summary: 'A test', tool: null },
    writes: (fields, { actor }) => Connection.source(actor, fields.to.muse),
    decide: (_connection, fields) => (decided.push(fields.to), []),
    reply: () => ({}),
  });
  const stores = new InMemoryStores();
  const context = stores.request(POSTER);
  const runner = new CommandExecutor(meet, stores.journal, new FakePayments().payments, {});
  const { sent, values } = buildCommandRoute(meet).parse({ to: WORKER, more: 'ignored' });
  await runner.execute(httpRequest('meet', context, { sent, values }));
  expect([parsed, sent, decided]).toEqual([[WORKER], { to: WORKER }, [{ muse: WORKER }]]);
});
