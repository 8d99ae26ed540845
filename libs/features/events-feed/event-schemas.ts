import { defineQuery, w } from '#libs/endpoints/declare.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { AnyEventType, EventTypeVersion } from '#libs/kernel/event-type.js';
import type { JsonObject } from '#libs/kernel/json.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Generators resolve every `$ref` of the description, also in examples. */
const NO_EXAMPLE = { examples: [[]] };
const EventReference = w.object({ $ref: w.text('#/$defs/JobPosted@1', 'Reference to its schema') });

export const eventSchemas = defineQuery('event_schemas', {
  path: '/api/events/schema',
  answer: w.object({
    $schema: w.text(DIALECT, 'Dialect of the schemas'),
    anyOf: w.list(EventReference, 'One for each type and version', NO_EXAMPLE),
    $defs: w.mapOf(w.open({ type: 'object' }, 'Schema of an event as the feed shows it'), {
      'JobPosted@1': { type: 'object' },
    }),
    events: w.parts('All types and versions', {
      type: w.text('JobPosted', 'Type of the event'),
      version: w.integer(1, 'Version of the type'),
      private_type: w.flag(true, 'Whether the feed shows only its digest'),
      sealed: w.open({ private: [], personal: ['title'], held: [] }, 'Members of the data that are sealed in the log'),
      schema: w.open({ type: 'object' }, 'Schema of the data before sealing'),
    }),
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

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

const HEAD: JsonObject = {
  id: { type: 'string', format: 'uuid' },
  position: { type: 'string', pattern: '^[0-9]+$' },
  at: COUNT,
  digest: { type: 'string', pattern: '^[0-9a-f]{64}$' },
};
const ENVELOPE: JsonObject = {
  ...HEAD,
  stream: TEXT,
  revision: COUNT,
  actor: TEXT,
  cause: TEXT,
  decided_by: TEXT,
  based_on: { type: 'object', additionalProperties: COUNT },
  authorization: { type: 'object', required: ['mode'] },
};

function publicEventSchema({ type, privateType }: AnyEventType, version: number, shape: EventTypeVersion): JsonObject {
  const properties = { type: { const: type }, version: { const: version }, ...(privateType ? HEAD : ENVELOPE) };
  const members = privateType ? properties : { ...properties, data: publicDataSchema(shape) };
  return { type: 'object', required: Object.keys(members), properties: members, additionalProperties: false };
}

function publicDataSchema({ schema, seals }: EventTypeVersion): JsonObject {
  const { properties, ...others } = JSON.parse(JSON.stringify(schema)) as { readonly properties: JsonObject };
  const sealed = new Set([...seals.private, ...seals.personal, ...seals.held]);
  const entries = Object.entries(properties).map(([name, clear]) => [
    name,
    sealed.has(name) ? orSealedSchema(clear) : clear,
  ]);
  return { ...others, properties: Object.fromEntries(entries) as JsonObject };
}

/** Null values are not sealed. */
const orSealedSchema = (clear: JsonObject[string]): JsonObject => ({
  anyOf: [
    { type: 'object', required: ['sealed'], properties: { sealed: TEXT, value: clear }, additionalProperties: false },
    { type: 'null' },
  ],
});
