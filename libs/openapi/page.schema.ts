import type { JsonObject } from '#libs/kernel/json.js';
import { escape, inline } from './markdown.js';

const REF = '#/components/schemas/';

/** What a schema allows, in a few words; a named schema is a link. */
export function constraints(schema: JsonObject): string {
  const { $ref, type, enum: values, const: only, anyOf, allOf, items, additionalProperties: each } = schema;
  if (typeof $ref === 'string') return link($ref.slice(REF.length));
  if (only !== undefined) return `<code>${escape(JSON.stringify(only))}</code>`;
  if (Array.isArray(values)) return values.map(value => `<code>${escape(JSON.stringify(value))}</code>`).join(' | ');
  if (Array.isArray(anyOf)) return (anyOf as JsonObject[]).map(constraints).join(' | ');
  if (Array.isArray(allOf)) return (allOf as JsonObject[]).map(constraints).join(' and ');
  if (items) return `list of ${constraints(items as JsonObject)}`;
  if (typeof each === 'object' && each !== null) return `map to ${constraints(each as JsonObject)}`;
  const kind = Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : 'any';
  return [escape(kind), ...bounds(schema)].join(', ');
}

const link = (name: string) => `<a href="#schema-${escape(name)}">${escape(name)}</a>`;

const BOUNDS = { minLength: 'from', maxLength: 'up to', minimum: 'from', maximum: 'up to', pattern: 'like' };

function bounds(schema: JsonObject): string[] {
  const shown = Object.entries(BOUNDS).filter(([name]) => schema[name] !== undefined);
  return shown.map(([name, words]) => {
    const bound = schema[name];
    const value = `<code>${escape(typeof bound === 'string' ? bound : JSON.stringify(bound))}</code>`;
    return name.endsWith('Length') ? `${words} ${value} characters` : `${words} ${value}`;
  });
}

/** The members of an object as rows; those of a nested one stand below it. */
export function membersTable(schema: JsonObject, always = 'always'): string {
  return `<table><tbody>${rows(schema, '', always).join('')}</tbody></table>`;
}

function rows({ properties = {}, required = [] }: JsonObject, prefix: string, always: string): string[] {
  return Object.entries(properties as { readonly [name: string]: JsonObject }).flatMap(([name, schema]) => {
    const needed = (required as string[]).includes(name) ? ` <small>${always}</small>` : '';
    const description = typeof schema['description'] === 'string' ? inline(schema['description']) : '';
    const own = `<tr><td><code>${escape(prefix + name)}</code>${needed}</td><td>${constraints(schema)}</td><td>${description}</td></tr>`;
    return [own, ...nested(schema, prefix + name, always)];
  });
}

function nested(schema: JsonObject, name: string, always: string): string[] {
  if (schema['properties']) return rows(schema, `${name}.`, always);
  const items = schema['items'] as JsonObject | undefined;
  return items?.['properties'] ? rows(items, `${name}[].`, always) : [];
}
