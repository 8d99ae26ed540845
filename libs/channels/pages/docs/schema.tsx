import type { ComponentChild } from 'preact';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Link } from '../elements/links.js';
import { Inline } from './prose.js';

const REF = '#/components/schemas/';

/** What a schema allows, in a few words; a shape with a name is a link. */
export function SchemaSummary({ schema }: { readonly schema: JsonObject }): ComponentChild {
  const { $ref, enum: values, const: only, anyOf, allOf, items, additionalProperties: each } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice(REF.length);
    return <Link to={PAGE_PATHS.shape(name)}>{name}</Link>;
  }
  if (only !== undefined) return <Value of={only} />;
  if (Array.isArray(values))
    return joinNodes(
      values.map(value => <Value of={value as Json} />),
      ' or ',
    );
  if (Array.isArray(anyOf)) return joinNodes(summarizeAll(anyOf), ' or ');
  if (Array.isArray(allOf)) return joinNodes(summarizeAll(allOf), ' and ');
  if (typeof items === 'object') return <>list of {<SchemaSummary schema={items as JsonObject} />}</>;
  if (typeof each === 'object' && each !== null) return <>map to {<SchemaSummary schema={each as JsonObject} />}</>;
  return joinNodes([kindOf(schema), ...boundsOf(schema)], ', ');
}

const summarizeAll = (schemas: unknown) => (schemas as JsonObject[]).map(schema => <SchemaSummary schema={schema} />);
const Value = ({ of }: { readonly of: Json }) => <code>{JSON.stringify(of)}</code>;

function kindOf({ type }: JsonObject): string {
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'any';
}

const joinNodes = (parts: readonly ComponentChild[], separator: string) => (
  <>{parts.flatMap((part, at) => (at === 0 ? [part] : [separator, part]))}</>
);

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

/** A row of a table of fields, parameters or members. */
export interface Row {
  readonly name: string;
  /** Where it stands, or that it is needed. */
  readonly note: string;
  readonly schema: JsonObject;
  readonly description?: string;
  readonly example?: string;
}

/** Rows with what each may hold. `name` is what they are called. */
export const Rows = ({ of, name }: { readonly of: readonly Row[]; readonly name: string }) => (
  <table class="members">
    <thead>
      <tr>
        <th scope="col">{name}</th>
        <th scope="col">Holds</th>
        <th scope="col">Means</th>
      </tr>
    </thead>
    <tbody>
      {of.map(({ name: own, note, schema, description, example }) => (
        <tr key={own}>
          <td>
            <code>{own}</code> {note !== '' && <span class="quiet">{note}</span>}
          </td>
          <td>
            <SchemaSummary schema={schema} />
          </td>
          <td>
            {description !== undefined && <Inline text={description} />}
            {example !== undefined && (
              <span class="quiet">
                {description !== undefined && '. '}As <code>{example}</code>
              </span>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The members of an object as rows; those of a nested one stand below it. `always` is said of those that are never missing. */
export function memberRows({ properties = {}, required = [] }: JsonObject, always: string, prefix = ''): Row[] {
  return Object.entries(properties as { readonly [name: string]: JsonObject }).flatMap(([own, schema]) => {
    const { description } = schema;
    const row = {
      name: prefix + own,
      note: (required as string[]).includes(own) ? always : '',
      schema,
      ...(typeof description === 'string' && { description }),
    };
    return [row, ...nestedRows(schema, prefix + own, always)];
  });
}

function nestedRows(schema: JsonObject, name: string, always: string): Row[] {
  if (schema['properties']) return memberRows(schema, always, `${name}.`);
  const items = schema['items'] as JsonObject | undefined;
  return items?.['properties'] ? memberRows(items, always, `${name}[].`) : [];
}
