import { expect, test } from '@jest/globals';
import { memberRows } from '#libs/channels/pages/docs/schema.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
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

test('each member of an event says what it means', () => {
  const members = [...EVENT_TYPES.values()].flatMap(({ type, schema, meanings }) =>
    Object.keys(schema.properties).map(name => ({ of: `${type}.${name}`, meaning: meanings[name] })),
  );
  expect(members.filter(({ meaning }) => !meaning).map(({ of }) => of)).toEqual([]);
});

test('the meaning of an event member is that of its field or of its kind of value', () => {
  expect(EVENT_TYPES.get('JobPosted')?.meanings).toMatchObject({
    role: 'Slug of the job',
    title: 'The title of the job',
  });
});
