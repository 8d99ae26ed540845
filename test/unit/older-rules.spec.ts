import { expect, test } from '@jest/globals';
import { replayedDecision } from '#libs/audit/decisions/replayed-decision.js';
import { History } from '#libs/audit/history.js';
import { needed, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { Event, RequestFields } from '#libs/kernel/event.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Connected, Connection, ConnectionRequested } from '#libs/features/network/domain/connection.js';
import { Muse } from '#libs/domain/muse.js';
import type { DecisionContext } from '#libs/kernel/decide.js';
import { formatDecidedBy } from '#libs/endpoints/decision.js';
import { onSettled } from '#libs/endpoints/paid-action.js';
import { defineCommand } from '#libs/endpoints/command.js';
import { decisionsOf } from '#libs/endpoints/command-decisions.js';
import * as w from '#libs/values/answer-schema.js';

const [ADA, BEN, CYD] = ['agent_ada0000000', 'agent_ben0000000', 'agent_cyd0000000'];
const PAYMENT = 'payment-1';
const NIGHT_FROM_MS = 22 * HOUR_MS;

const FIELDS_1 = { to: needed(c.museId), greeting: optional(c.text({ max: 600 })) };
const FIELDS = {
  ...FIELDS_1,
  greeting: optional(c.text({ min: 10, max: 600 })),
  accept: optional(c.flag),
};

const asks = (actor: string, to: string) => [ConnectionRequested({ by: actor, to })];

const effect = (version: number, fields: typeof FIELDS | typeof FIELDS_1) =>
  onSettled('greet-effect', {
    version,
    fields,
    events: [ConnectionRequested, Connected],
    writes: ({ accepted: { actor, data } }) => Connection.source(actor, data.fields!['to']!),
    decide(_state, { accepted: { actor, data } }) {
      const { to, accept } = data.fields as { readonly to: string; readonly accept?: string };
      return accept === undefined ? asks(actor, to) : [Connected({ by: actor, to })];
    },
  });

/** Version 2 requires longer greetings, rejects Ben and the night, and reads `accept`. */
const greet = defineCommand('greet', {
  scope: 'work',
  who: 'known',
  version: 2,
  older: [
    {
      version: 1,
      fields: FIELDS_1,
      fromEvent: () => false,
      decide: (_state: never, { to }: FieldValues<typeof FIELDS_1>, { actor }: DecisionContext) => asks(actor, to),
    },
  ],
  fields: FIELDS,
  events: [ConnectionRequested, Connected],
  fieldsFromEvent: ({ data: { to } }) => ({ to }),
  given: {
    find: (_fields, { at }) => at % DAY_MS >= NIGHT_FROM_MS,
    mustRead: () => [],
    fromEvent: (_fields, { event: { at } }) => at % DAY_MS >= NIGHT_FROM_MS,
  },
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  decide(_connection, { to, accept }, { actor }, _reads, isNight) {
    rule(to !== BEN && !isNight, 'not_found', 'Ben takes no greetings, and the others none at night.');
    return accept ? [Connected({ by: actor, to })] : asks(actor, to);
  },
  answer: w.object({}),
  reply: () => ({}),
  errors: ['not_found'],
  doc: { tag: 'Network', summary: 'A test', tool: null },
  sale: {
    payee: 'service',
    sample: { request: {}, answer: {} },
    price: () => null,
    purchase: () => Promise.resolve(null),
    effect: effect(2, FIELDS),
    older: [effect(1, FIELDS_1)],
    reply: () => ({}),
  },
});

/** Replays a request of Ada with a version of the rules. */
function decideAgain(name: string, fields: RequestFields, at = HOUR_MS) {
  const decision = decisionsOf(greet).find(each => formatDecidedBy(each) === name)!;
  const authorization = { mode: 'bearer', token: 'x', endpoint: 'greet', sealed: { fields } };
  const accepted = { id: 'request/x', at, actor: ADA, authorization, data: { endpoint: 'greet', fields } };
  const event = {
    stream: Connection.streamName(ADA, fields['to']!),
    actor: ADA,
    at,
    cause: 'request/x',
    data: {},
    decided_by: name,
    based_on: { [Muse.streamName(ADA)]: 0, [PAYMENT]: 1 },
    authorization,
  } as unknown as Event;
  const states: { readonly [stream: string]: unknown } = {
    [Muse.streamName(ADA)]: { status: 'joined' },
    [PAYMENT]: { status: 'settled', accepted },
  };
  return decision.decide({
    ...replayedDecision(event, new History()),
    own: () => ({ status: 'none' }) as never,
    read: ({ stream }) => states[stream] as never,
  });
}

const requested = [{ type: 'ConnectionRequested' }];
const connected = [{ type: 'Connected' }];

test('replays an event with the rules, checks and lookups of its version', () => {
  const night = NIGHT_FROM_MS;
  expect(decideAgain('greet@1', { to: BEN, greeting: 'Hi' }, night)).toMatchObject(requested);
  expect(() => decideAgain('greet@2', { to: BEN })).toThrow(Refusal);
  expect(() => decideAgain('greet@2', { to: CYD }, night)).toThrow(Refusal);
  expect(() => decideAgain('greet@2', { to: CYD, greeting: 'Hi' })).toThrow(
    '`greeting` must be text of 10 to 600 characters.',
  );
  expect(decideAgain('greet@2', { to: CYD })).toMatchObject(requested);
});

test.each(['greet', 'greet-effect'])('%s ignores a field that its version does not have', name => {
  const sent = { to: CYD, accept: 'true' };
  expect(decideAgain(`${name}@1`, sent)).toMatchObject(requested);
  expect(decideAgain(`${name}@2`, sent)).toMatchObject(connected);
});
