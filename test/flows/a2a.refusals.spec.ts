import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { a2aOf, data, message } from '../a2a.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const { rest, member } = a2aOf(() => world.url);
const task = 'Translate the manual into French.';

test.each([
  ['a missing token', '/message:send', {}, message(task), 401, 'UNSIGNED'],
  ['a data part', '/message:send', null, data({ task: 'short' }), 400, 'TASK'],
  ['a stream', '/message:stream', null, data({ task: 'short' }), 400, 'TASK'],
  ['an unknown action', '/tasks/job-1:nothing', null, {}, 404, 'UNKNOWN_ENDPOINT'],
])(
  'a refusal of %s over HTTP+JSON has a reason of A2A before its own',
  async (_what, path, headers, body, status, reason) => {
    const reply = await rest(path, headers ?? (await member()), { body });
    const { details } = reply.body['error'] as unknown as { readonly details: readonly JsonObject[] };
    expect([reply.status, details.map(each => [each['domain'], each['reason']])]).toEqual([
      status,
      [
        ['a2a-protocol.org', 'INVALID_PARAMS'],
        ['agent-job-network', reason],
      ],
    ]);
    expect(details[0]!['metadata']).toEqual({ ...(details[1]!['metadata'] as JsonObject), reason });
  },
);
