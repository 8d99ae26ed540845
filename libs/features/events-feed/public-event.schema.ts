import type { JsonObject } from '#libs/kernel/json.js';
import type { AnyEventType, EventTypeVersion } from '#libs/kernel/event-type.js';

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

export function publicEventSchema(
  { type, privateType }: AnyEventType,
  version: number,
  shape: EventTypeVersion,
): JsonObject {
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
