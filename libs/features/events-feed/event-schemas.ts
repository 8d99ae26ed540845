import type { JsonObject } from '#libs/kernel/json.js';
import type { AnyEventType } from '#libs/domain/define.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { publicEventSchema } from './public-event.schema.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export const eventSchemas = defineQuery('event_schemas', {
  path: '/api/events/schema',
  answer: w.object({
    $schema: w.text(DIALECT),
    anyOf: w.list(w.object({ $ref: w.text('#/$defs/JobPosted@1') })),
    $defs: w.mapOf(w.open({ type: 'object' }, 'Schema of an event as the feed shows it'), {
      'JobPosted@1': { type: 'object' },
    }),
    events: w.list(
      w.object({
        type: w.text('JobPosted'),
        version: w.integer(1),
        private_type: w.flag(),
        sealed: w.open(
          { private: [], personal: ['title'], held: [] },
          'Members of the data that are sealed in the log',
        ),
        schema: w.open({ type: 'object' }, 'Schema of the data before sealing'),
      }),
    ),
  }),
  doc: {
    tag: 'Events',
    tool: null,
    summary: 'Get event schemas',
    details:
      'The answer is a JSON Schema (2020-12) of an event as `/api/events` shows it; `$defs` has one schema per type and ' +
      'version. `events` lists the schema of the data before sealing, and the members that are sealed in the log.',
  },
  find() {
    const types = [...EVENT_TYPES.values()];
    const $defs = Object.fromEntries(types.flatMap(schemaEntries));
    const anyOf = Object.keys($defs).map(name => ({ $ref: `#/$defs/${name}` }));
    return { $schema: DIALECT, anyOf, $defs, events: types.flatMap(describeVersions) };
  },
});

const schemaEntries = (type: AnyEventType) =>
  type.versions.map(
    (shape, index) => [`${type.type}@${index + 1}`, publicEventSchema(type, index + 1, shape)] as const,
  );

function describeVersions({ type, versions, privateType }: AnyEventType) {
  const described = versions.map(({ schema, seals }, index) => ({
    type,
    version: index + 1,
    private_type: privateType,
    sealed: { private: seals.private, personal: seals.personal, held: seals.held },
    schema: JSON.parse(JSON.stringify(schema)) as JsonObject,
  }));
  return described.reverse();
}
