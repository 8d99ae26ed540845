import type { ComponentChild } from 'preact';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Link } from '#libs/channels/pages/elements/links.js';
import { Joined, Table } from '#libs/channels/pages/elements/lists.js';
import { Inline } from './prose.js';

const REF = '#/components/schemas/';

/** Summarizes a schema; named shapes are links. */
export function SchemaSummary({ schema }: { readonly schema: JsonObject }): ComponentChild {
  const { $ref, enum: values, const: only, anyOf, allOf, items, additionalProperties: each } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice(REF.length);
    return <Link to={PAGE_PATHS.shape(name)}>{name}</Link>;
  }
  if (only !== undefined) return <Value of={only} />;
  if (Array.isArray(values))
    return (
      <Joined
        of={values.map(value => (
          <Value of={value as Json} />
        ))}
        by=" or "
      />
    );
  if (Array.isArray(anyOf)) return <Joined of={summarizeAll(anyOf)} by=" or " />;
  if (Array.isArray(allOf)) return <Joined of={summarizeAll(allOf)} by=" and " />;
  if (typeof items === 'object') return <>list of {<SchemaSummary schema={items as JsonObject} />}</>;
  if (typeof each === 'object' && each !== null) return <>map to {<SchemaSummary schema={each as JsonObject} />}</>;
  return <Joined of={[kindOf(schema), ...boundsOf(schema)]} by=", " />;
}

const summarizeAll = (schemas: unknown) => (schemas as JsonObject[]).map(schema => <SchemaSummary schema={schema} />);
const Value = ({ of }: { readonly of: Json }) => <code>{JSON.stringify(of)}</code>;

function kindOf({ type }: JsonObject): string {
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'any';
}

const BOUNDS = {
  minLength: ['from', ' characters'],
  maxLength: ['up to', ' characters'],
  minimum: ['from', ''],
  maximum: ['up to', ''],
  pattern: ['like', ''],
  format: ['a', ''],
} as const;

const boundsOf = (schema: JsonObject): ComponentChild[] =>
  Object.entries(BOUNDS)
    .filter(([name]) => schema[name] !== undefined)
    .map(([name, [before, behind]]) => {
      const bound = schema[name]!;
      return (
        <>
          {before} <code>{typeof bound === 'string' ? bound : JSON.stringify(bound)}</code>
          {behind}
        </>
      );
    });

/** A field, parameter or member. */
export interface MemberRow {
  readonly name: string;
  /** Location, or whether it is required. */
  readonly note: string;
  readonly schema: JsonObject;
  readonly description?: string;
  readonly example?: string;
}

/** `name` is the heading of the first column. */
export const MemberTable = ({ of, name }: { readonly of: readonly MemberRow[]; readonly name: string }) => (
  <Table class="members" head={[name, 'Holds', 'Means']} rows={of.map(cellsOf)} />
);

const cellsOf = ({ name, note, schema, description, example }: MemberRow): ComponentChild[] => [
  <>
    <code>{name}</code> {note !== '' && <span class="quiet">{note}</span>}
  </>,
  <SchemaSummary key="holds" schema={schema} />,
  <>
    {description !== undefined && <Inline text={description} />}
    {example !== undefined && (
      <span class="quiet">
        {description !== undefined && '. '}Example: <code>{example}</code>
      </span>
    )}
  </>,
];

export const partsOf = (schema: JsonObject): JsonObject[] => (schema['allOf'] as JsonObject[] | undefined) ?? [schema];

/** Lists nested members below their parent. `always` marks members that are never missing. */
export function memberRows({ properties = {}, required = [] }: JsonObject, always: string, prefix = ''): MemberRow[] {
  return Object.entries(properties as { readonly [name: string]: JsonObject }).flatMap(([fieldName, schema]) => {
    const description = meaningOf(schema);
    const row = {
      name: prefix + fieldName,
      note: (required as string[]).includes(fieldName) ? always : '',
      schema,
      ...(description !== undefined && { description }),
    };
    return [row, ...nestedRows(schema, prefix + fieldName, always)];
  });
}

/** A list, a map or a nullable value without a meaning of its own has that of its entries or its value. */
function meaningOf({ description, anyOf = [], items, additionalProperties }: JsonObject): string | undefined {
  if (typeof description === 'string') return description;
  const inner = [...(anyOf as JsonObject[]), items, additionalProperties].find(each => typeof each === 'object');
  return inner ? meaningOf(inner as JsonObject) : undefined;
}

function nestedRows(schema: JsonObject, name: string, always: string): MemberRow[] {
  if (schema['properties']) return memberRows(schema, always, `${name}.`);
  const items = schema['items'] as JsonObject | undefined;
  return items?.['properties'] ? memberRows(items, always, `${name}[].`) : [];
}
