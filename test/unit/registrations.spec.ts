import { expect, test } from '@jest/globals';
import { buildTools } from '#libs/channels/mcp/tool.js';
import { FEATURES } from '#libs/features/features.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { cursor } from '#libs/http/paging.js';
import { ROUTES } from '#libs/service/routes.js';
import { SALES } from '#libs/service/sales.js';
import { LISTS } from '../paging-lists.js';
import { PURCHASES } from '../purchases.js';

test('every read of the API declares whether it is a tool', () => {
  const silent = ROUTES.reads.filter(({ path, describe }) => path.startsWith('/api/') && describe.tool === undefined);
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('every tool belongs to a single endpoint', () => {
  const names = [...ROUTES.writes, ...ROUTES.reads].flatMap(({ describe }) => describe.tool?.name ?? []);
  expect(names.length).toBeGreaterThan(20);
  expect(names).toEqual([...new Set(names)]);
  expect(buildTools(ROUTES).size).toBe(names.length);
});

test('every endpoint with a cursor is covered by the paging tests', () => {
  const endpoints = FEATURES.flatMap(({ queries: reads, privateQueries: asks, commands: verbs }) => [
    ...reads.map(({ path, request }) => ({ name: `GET ${path}`, request })),
    ...[...asks, ...verbs].map(({ path, request }) => ({ name: `POST ${path}`, request })),
  ]);
  const lists = endpoints.filter(({ request }) => Object.values(request.fields).some(({ value }) => value === cursor));
  expect(lists.length).toBeGreaterThan(10);
  const tested = new Set(LISTS.map(({ endpoint }) => endpoint));
  expect(lists.map(({ name }) => name).filter(name => !tested.has(name))).toEqual([]);
});

test('every paid endpoint is covered by the crash, reorganisation and sweep tests', () => {
  expect([...SALES.keys()].filter(endpoint => !Object.hasOwn(PURCHASES, endpoint))).toEqual([]);
});

test('every command on a hire repairs a hire whose own event is missing', () => {
  const types = new Set<string>(Hire.events.map(({ type }) => type));
  const onHire = FEATURES.flatMap(({ commands }) =>
    commands.filter(({ events }) => events.some(({ type }) => types.has(type))),
  );
  expect(onHire.length).toBeGreaterThan(5);
  expect(onHire.filter(({ repair }) => repair === undefined).map(({ name }) => name)).toEqual([]);
});
