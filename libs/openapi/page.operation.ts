import type { Json, JsonObject } from '#libs/kernel/json.js';
import { escape, inline, markdown } from './markdown.js';
import { constraints, membersTable } from './page.schema.js';

/** An operation of the document with where it stands. */
export interface Found {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly operation: Readonly<{
    summary: string;
    description?: string;
    security: JsonObject[];
    parameters?: JsonObject[];
    requestBody?: JsonObject;
    responses: { readonly [status: string]: JsonObject };
    'x-payment-info'?: { readonly price?: string };
  }>;
}

export function operationsOf(document: JsonObject): Found[] {
  const paths = document['paths'] as unknown as { [path: string]: { [method: string]: Found['operation'] } };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, tags } = operation as unknown as { operationId: string; tags: string[] };
      return { id: operationId, method, path, tag: tags[0]!, operation };
    }),
  );
}

export function operationSection({ id, method, path, operation }: Found): string {
  const { summary, description, requestBody, responses } = operation;
  return `<section id="${id}">
<h3><b class="${method}">${method}</b> ${pathLink(method, path)}</h3>
<p><strong>${inline(summary)}</strong> ${badges(operation)}</p>
${description ? `<p>${inline(description)}</p>` : ''}
${parametersTable(operation.parameters ?? [])}
${requestBody ? requestPart(requestBody, path, operation) : ''}
${answerPart(responses['200']!)}
<details><summary>Failures</summary>${failures(responses)}</details>
</section>`;
}

/** A read without parameters in its path can be looked at at once. */
function pathLink(method: string, path: string): string {
  const text = escape(path);
  return method === 'get' && !path.includes('{') ? `<a href="${text}">${text}</a>` : text;
}

function badges({ security, 'x-payment-info': payment }: Found['operation']): string {
  const bearer = security.some(each => 'bearer' in each);
  const names = [
    ...(bearer ? ['bearer or signed'] : security.length > 0 ? ['signed by a new key'] : []),
    ...(payment ? [payment.price ? `paid: ${payment.price} USD` : 'paid: the 402 says how much'] : []),
  ];
  return names.map(name => `<i>${escape(name)}</i>`).join(' ');
}

function parametersTable(parameters: readonly JsonObject[]): string {
  const own = parameters.filter(parameter => 'name' in parameter);
  if (own.length === 0) return '';
  const rows = own.map(({ name, in: place, description, schema }) => {
    const says = typeof description === 'string' ? inline(description) : '';
    return `<tr><td><code>${escape(name as string)}</code> <small>${place as string}</small></td><td>${constraints(schema as JsonObject)}</td><td>${says}</td></tr>`;
  });
  return `<h4>Parameters</h4><table><tbody>${rows.join('')}</tbody></table>`;
}

interface Media {
  readonly schema: JsonObject;
  readonly example?: Json;
}

const mediaOf = (part: JsonObject): Media =>
  Object.values(part['content'] as unknown as { readonly [type: string]: Media })[0]!;

function requestPart(requestBody: JsonObject, path: string, { security }: Found['operation']): string {
  const { schema, example } = mediaOf(requestBody);
  const parts = (schema['allOf'] as JsonObject[] | undefined) ?? [schema];
  const own = parts.filter(part => part['properties']);
  const token = security.some(each => 'bearer' in each) ? " -H 'authorization: Bearer <token>'" : '';
  const curl = `curl -X POST ${path}${token} -H 'content-type: application/json' -d '${JSON.stringify(example ?? {})}'`;
  return `<h4>Fields</h4>${own.map(schema => membersTable(schema, 'needed')).join('')}<pre>${escape(curl)}</pre>`;
}

function answerPart(response: JsonObject): string {
  const { schema, example } = mediaOf(response);
  const sample =
    example === undefined
      ? ''
      : `<details><summary>Example</summary><pre>${escape(JSON.stringify(example, null, 2))}</pre></details>`;
  return `<details><summary>Answer</summary>${schema['properties'] ? membersTable(schema) : ''}</details>${sample}`;
}

function failures(responses: Found['operation']['responses']): string {
  const refused = Object.entries(responses).filter(([status]) => status >= '400');
  return refused.map(([status, { description }]) => `<h4>${status}</h4>${markdown(description as string)}`).join('');
}
