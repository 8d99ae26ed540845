/** Each line below must fail to compile: an unused `@ts-expect-error` fails `npm run typecheck`. */
import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { rule } from '#libs/kernel/refusal.js';
import { Connected, Connection, ConnectionRequested } from '#libs/features/network/domain/connection.js';
import { defineEvent, type EventOf } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { Muse } from '#libs/domain/muse.js';
import { profileField } from '#libs/domain/profile-field.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/values/answer-schema.js';

const base = {
  who: 'joined',
  fields: { to: needed(c.museId) },
  events: [ConnectionRequested],
  fieldsFromEvent: ({ data: { to } }: EventOf<typeof ConnectionRequested>) => ({ to }),
  answer: w.object({ status: w.oneOf('pending', 'connected') }),
  errors: ['not_found'],
  doc: { tag: 'Network', summary: 'A test', tool: null },
} as const;

// @ts-expect-error An event field must declare its exposure.
export const unsealed = defineEvent('Unsealed', 'It happened.', { note: f.text });

export const exposed = profileField(c.wallet, {
  exposure: 'private',
  // @ts-expect-error A private field cannot be shown in a profile.
  shown: 'profile',
  example: 'me',
  takenBy: { profile: 'clearable' },
});

export const unlisted = defineCommand('unlisted', {
  scope: 'work',
  ...base,
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  // @ts-expect-error The command does not declare this event.
  decide: (_connection, { to }, { actor }) => [Connected({ by: actor, to })],
  reply: () => ({ status: 'pending' }),
});

export const silent = defineCommand('silent', {
  scope: 'work',
  ...base,
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  decide: () => [],
  reply: () => ({ status: 'pending' }),
  // @ts-expect-error A command must say whether it is an MCP tool.
  doc: { tag: 'Network', summary: 'A test' },
});

export const mistyped = defineCommand('mistyped', {
  scope: 'work',
  ...base,
  // @ts-expect-error The decision takes the state of another stream.
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  decide: (_muse: Muse) => [],
  reply: () => ({ status: 'pending' }),
});

export const misread = defineCommand('misread', {
  scope: 'work',
  ...base,
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  reads: ({ to }) => ({ other: Muse.source(to) }),
  // @ts-expect-error The command does not read this stream.
  decide: (_connection, _fields, _deciding, { another }) => (another ? [] : []),
  reply: () => ({ status: 'pending' }),
});

export const misanswered = defineCommand('misanswered', {
  scope: 'work',
  ...base,
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  decide: () => [],
  // @ts-expect-error The response does not allow this value.
  reply: () => ({ status: 'refused' }),
});

export const misnamed = defineCommand('misnamed', {
  scope: 'work',
  ...base,
  // @ts-expect-error The command does not take this field.
  writes: ({ whom }, { actor }) => Connection.source(actor, whom),
  decide: () => [],
  reply: () => ({ status: 'pending' }),
});

export const miscoded = defineCommand('miscoded', {
  scope: 'work',
  ...base,
  // @ts-expect-error The code is not in the list of codes.
  errors: ['not_fuond'],
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  decide: () => [],
  reply: () => ({ status: 'pending' }),
});

// @ts-expect-error The code is not in the list of codes.
export const refuse = () => rule(false, 'no_such_code', 'No.');
