import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { toText } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { DeclaredProjection } from '#libs/views/projection.js';

/** Wraps a projection so that an undeclared document or id throws. */
export function checkedProjection({ document: schema, ...projection }: DeclaredProjection): Projection {
  const declared = Compile(closeSchema(schema));
  const [field = '', behind = ''] = projection.idsBegin?.split(/(?=.$)/) ?? [];
  return {
    ...projection,
    evolve(before, event, id) {
      const document = projection.evolve(before, event, id);
      if (document === null) return document;
      if (field !== '' && !id.startsWith(toText(document[field]) + behind))
        throw new Error(`The id ${id} does not begin with ${projection.idsBegin!}.`);
      if (declared.Check(document)) return document;
      const [error] = declared.Errors(document);
      throw new Error(`The document ${id} is not as declared: ${error!.instancePath} ${error!.message}.`);
    },
  };
}

function closeSchema(schema: TSchema): TSchema {
  const members = Object.entries(schema).map(([name, value]: [string, unknown]) => [name, closedValue(value)]);
  const isObject = 'properties' in schema;
  return { ...Object.fromEntries(members), ...(isObject && { additionalProperties: false }) } as TSchema;
}

function closedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedValue);
  return typeof value === 'object' && value !== null ? closeSchema(value) : value;
}
