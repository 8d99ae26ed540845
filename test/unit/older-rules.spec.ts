import { expect, test } from '@jest/globals';
import { askedOf } from '#libs/audit/decisions/asked.js';
import { History } from '#libs/audit/history.js';
import { needed, optional } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import type { Event } from '#libs/kernel/event.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Connection, ConnectionRequested } from '#libs/streams/connection.js';
import { Muse } from '#libs/streams/muse.js';
import { type Asked, decidedBy } from '#libs/verbs/decision.js';
import { verb } from '#libs/verbs/verb.js';
import { decisionsOf } from '#libs/verbs/verb-decisions.js';
import * as w from '#libs/views/shapes/words.js';

const [ADA, BEN] = ['agent_ada0000000', 'agent_ben0000000'];
const THEN = { to: needed(c.museId), greeting: optional(c.text({ max: 600 })) };
const asks = (actor: string, to: string) => [ConnectionRequested({ by: actor, to })];

/** A verb whose rules have become stricter: a greeting has ten characters now, and nobody greets Ben. */
const stricter = verb('greet', {
  who: 'known',
  version: 2,
  older: [
    {
      version: 1,
      fields: THEN,
      decide: (_state: never, { to }: { to: string }, { actor }: Asked['deciding']) => asks(actor, to),
    },
  ],
  fields: { ...THEN, greeting: optional(c.text({ min: 10, max: 600 })) },
  events: [ConnectionRequested],
  writes: ({ to }, { actor }) => Connection.of(actor, to),
  decide(_connection, { to }, { actor }) {
    rule(to !== BEN, 'not_found', 'Nobody greets Ben.');
    return asks(actor, to);
  },
  answer: w.object({}),
  reply: () => ({}),
  errors: ['not_found'],
  doc: { tag: 'Network', summary: 'A test' },
});

/** Decides again what Ada asked with a version of the rules. */
function decided(version: number, fields: { readonly [name: string]: string }) {
  const decision = decisionsOf(stricter).find(each => decidedBy(each) === `greet@${version}`)!;
  const event = {
    stream: Connection.named(ADA, fields['to']!),
    actor: ADA,
    at: 1,
    cause: 'request/x',
    data: {},
    decided_by: decidedBy(decision),
    based_on: { [Muse.named(ADA)]: 0 },
    authorization: { mode: 'bearer', token: 'x', endpoint: 'greet', sealed: { fields } },
  } as unknown as Event;
  const ada = { status: 'joined' } as never;
  return decision.decide({
    ...askedOf(event, new History()),
    own: () => ({ status: 'none' }) as never,
    read: () => ada,
  });
}

test('what was decided under older rules, and older checks of fields, stays right', () => {
  expect(decided(1, { to: BEN, greeting: 'Hi' })).toMatchObject([{ type: 'ConnectionRequested', data: { to: BEN } }]);
});

test('the rules of today decide what they decided', () => {
  expect(() => decided(2, { to: BEN })).toThrow(Refusal);
  expect(() => decided(2, { to: 'agent_cyd0000000', greeting: 'Hi' })).toThrow(
    'greeting must be text of 10 to 600 characters.',
  );
  expect(decided(2, { to: 'agent_cyd0000000' })).toMatchObject([{ type: 'ConnectionRequested' }]);
});
