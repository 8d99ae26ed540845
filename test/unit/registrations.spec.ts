import { expect, test } from '@jest/globals';
import { toolsOf } from '#libs/channels/mcp/tool.js';
import { ROUTES } from '#libs/service/routes.js';

test('names a read of the API that does not say whether it is a tool', () => {
  const silent = ROUTES.reads.filter(({ path, describe }) => path.startsWith('/api/') && describe.tool === undefined);
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('names a tool that two endpoints offer', () => {
  const names = [...ROUTES.writes, ...ROUTES.reads].flatMap(({ describe }) => describe.tool?.name ?? []);
  expect(names.length).toBeGreaterThan(20);
  expect(names).toEqual([...new Set(names)]);
  expect(toolsOf(ROUTES).size).toBe(names.length);
});
