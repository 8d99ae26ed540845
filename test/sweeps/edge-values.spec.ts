import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { NEW_KEY_OPERATIONS } from '../attack-fixture.js';
import { DescribedService, type Operation } from '../described-service.js';
import { edgeBodies, edgeTargets, withEdges } from '../edge-values.js';
import { forEachParallel } from '../hostile-requests.js';
import { callTool, listTools } from '../mcp.js';
import { quickstart, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { watchErrors } from '../world/logged-errors.js';

/** Tests that values at an edge get a refusal or an answer, never a 500 or an error in the log. */
const SLOW_MS = 120_000;
const newErrors = watchErrors();
/** The routes check the rest. */
const TOOL_VALUES = [0, '9'.repeat(400), null];
/** Concurrent writes of one muse may be refused with it. */
const BUSY = 'busy';

const world = useWorld();
let operations: readonly Operation[];
let existing: JsonObject;
beforeAll(async () => {
  ({ operations } = await DescribedService.of(world.url));
  const [poster, worker] = await world.raws('Poster', 'Worker');
  const { role, hire } = await poster.hire(worker);
  const post = textOf(await worker.ok('post', { text: 'Here it is, all of it.' }), 'id');
  await worker.ok('deliver', { hire, post_id: post });
  existing = {
    role,
    slug: role,
    hire,
    post_id: post,
    item: post,
    id: worker.museId,
    to: worker.museId,
    name: 'Worker',
  };
  await world.settle();
});

const caller = async () => (await quickstart(world.url, { kind: 'edges' })).headers;
const isFailure = (status: unknown, code: unknown) => Number(status) >= 500 && code !== BUSY;

describe('an edge value', () => {
  test(
    'in any field of a command gets no 500',
    async () => {
      const failures: unknown[] = [];
      const posts = operations.filter(({ method, id }) => method === 'post' && !NEW_KEY_OPERATIONS.includes(id));
      for (const operation of posts) {
        const headers = await caller();
        await forEachParallel(edgeBodies(operation, existing), async body => {
          const { status, body: answer } = await send(world.url, operation.path, { body, headers });
          if (isFailure(status, answer['code'])) failures.push([operation.id, body, answer]);
        });
      }
      expect(failures).toEqual([]);
    },
    SLOW_MS,
  );

  test('in any parameter of a query gets no 500', async () => {
    const failures: unknown[] = [];
    for (const operation of operations.filter(({ method }) => method === 'get'))
      await forEachParallel(edgeTargets(operation, existing), async target => {
        const { status, body } = await send(world.url, target);
        if (isFailure(status, body['code'])) failures.push([target, body]);
      });
    expect(failures).toEqual([]);
  });

  test(
    'in any argument of a tool gets a result',
    async () => {
      const failures: unknown[] = [];
      for (const { name, inputSchema } of await listTools(world.url)) {
        const headers = await caller();
        const names = Object.keys(inputSchema.properties).filter(each => each !== 'wait');
        const existingFields = Object.fromEntries(
          names.filter(each => each in existing).map(each => [each, existing[each]]),
        );
        await forEachParallel(withEdges(existingFields, names, TOOL_VALUES), async args => {
          const { structuredContent } = await callTool(world.url, name, args as JsonObject, { headers });
          const { code } = structuredContent;
          if (code === 'internal') failures.push([name, args, structuredContent]);
        });
      }
      expect(failures).toEqual([]);
    },
    SLOW_MS,
  );

  test('writes no line of level error to the log', () => {
    expect(newErrors()).toEqual([]);
  });
});
