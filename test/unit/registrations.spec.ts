import { expect, test } from '@jest/globals';
import { buildTools } from '#libs/channels/mcp/tool.js';
import { ROUTES } from '#libs/service/routes.js';
import { REGISTRATIONS } from '../registrations.js';

test.each(Object.entries(REGISTRATIONS))('no registration is missing: %s', async (_kind, findMissing) => {
  expect(await findMissing()).toEqual([]);
});

test('every tool belongs to a single endpoint', () => {
  const names = [...ROUTES.writes, ...ROUTES.reads].flatMap(({ describe }) => describe.tool?.name ?? []);
  expect(names.length).toBeGreaterThan(20);
  expect(names).toEqual([...new Set(names)]);
  expect(buildTools(ROUTES).size).toBe(names.length);
});
