import { expect, test } from '@jest/globals';
import { memberRows } from '#libs/channels/pages/docs/schema.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { ROUTES } from '#libs/service/routes.js';

const { operations, schemas } = new ApiDescription({ baseUrl: 'https://jobs.example' }, 'service-v1', ROUTES);
const answers = operations.map(({ id, answer }) => [id, answer.schema] as const);

test('each member of an answer or a shape says what it means', () => {
  const rows = [...answers, ...Object.entries(schemas)].flatMap(([id, schema]) =>
    memberRows(schema, 'always').map(row => ({ ...row, id })),
  );
  expect(rows.length).toBeGreaterThan(500);
  expect(rows.filter(({ description }) => !description).map(({ id, name }) => `${id}: ${name}`)).toEqual([]);
});
