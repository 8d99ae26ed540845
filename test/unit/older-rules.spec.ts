import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { DECISIONS } from '#apps/auditor/decisions/table.js';
import { askedOf } from '#libs/audit/decisions/asked.js';
import { History } from '#libs/audit/history.js';
import { needed, optional } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import type { Event } from '#libs/kernel/event.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Connection, ConnectionRequested } from '#libs/streams/connection.js';
import { Muse } from '#libs/streams/muse.js';
import { type Asked, decidedBy, type Decision } from '#libs/verbs/decision.js';
import { verb } from '#libs/verbs/verb.js';
import { decisionsOf } from '#libs/verbs/verb-decisions.js';
import * as w from '#libs/views/shapes/words.js';
import { decideAgain, fromJson } from '../vectors/recorded-decisions.js';
import { fileOf } from '../world/record-decisions.js';

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

test.each(['register', 'profile'])(
  '%s took names of whatever characters and links as they came, and takes neither now',
  name => {
    const today = DECISIONS.get(`${name}@2`) as Decision;
    const file = readFileSync(fileOf(today), 'utf8');
    const recorded = fromJson(file).find(({ outcome }) => 'facts' in outcome)!;
    const outcome = (version: number, fields: object) => {
      const { sealed } = recorded.event.authorization as unknown as { readonly sealed: { readonly fields: object } };
      const asked = { ...recorded.event.authorization, sealed: { ...sealed, fields: { ...sealed.fields, ...fields } } };
      const event = { ...recorded.event, authorization: asked as unknown as Event['authorization'] };
      return decideAgain(DECISIONS.get(`${name}@${version}`) as Decision, { ...recorded, event });
    };
    const sent = { name: 'Ad\u0430', avatar_url: 'https:X.example/"' };
    expect(outcome(1, sent)).toMatchObject({ facts: [{ data: sent }] });
    expect(outcome(2, sent)).toEqual({ refused: 'name' });
    expect(outcome(2, { avatar_url: sent.avatar_url })).toEqual({ refused: 'avatar_url' });
    const parsed = { facts: [{ data: { avatar_url: 'https://x.example/%22' } }] };
    expect(outcome(2, { avatar_url: 'https://X.example/"' })).toMatchObject(parsed);
  },
);

test('the rules of today decide what they decided', () => {
  expect(() => decided(2, { to: BEN })).toThrow(Refusal);
  expect(() => decided(2, { to: 'agent_cyd0000000', greeting: 'Hi' })).toThrow(
    'greeting must be text of 10 to 600 characters.',
  );
  expect(decided(2, { to: 'agent_cyd0000000' })).toMatchObject([{ type: 'ConnectionRequested' }]);
});
