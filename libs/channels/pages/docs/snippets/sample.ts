import type { RequestField } from '#libs/validation/request-fields.js';
import { MESSAGE_TAG } from '#libs/client/index.js';
import type { Json } from '#libs/kernel/json.js';
import type { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import type { DescribedOperation } from '#libs/endpoints/openapi/described-operation.js';
import {
  CLIENT_FILLED_FIELD,
  fieldsOf,
  IDENTITY_CREATING_OPERATIONS,
  type Operation,
} from '#libs/endpoints/operation.js';
import { callerKindOf, declarationOf } from '#libs/channels/pages/docs/declarations.js';

/** An example request that works, apart from its ids, in several languages. */
export interface Sample {
  /** Address of the service without a trailing slash. */
  readonly service: string;
  /** First line of signed messages, unless it is the clients' default. */
  readonly tag: string | null;
  readonly method: 'get' | 'post';
  readonly operation: Operation;
  /** Field values as sent. */
  readonly fields: { readonly [name: string]: string };
  readonly needsToken: boolean;
  readonly isSignedByNewKey: boolean;
  readonly isPaid: boolean;
  /** Required header fields. */
  readonly headers: readonly string[];
}

export type RequestTarget = Pick<ApiDescription, 'baseUrl' | 'messageTag'>;

/** Null for the clients' default. */
export const customTagOf = ({ messageTag }: RequestTarget): string | null =>
  messageTag === MESSAGE_TAG ? null : messageTag;

export function sampleOf(described: DescribedOperation, target: RequestTarget): Sample {
  const { method, parameters, price } = described;
  const operation = declarationOf(described);
  const caller = callerKindOf(operation);
  const example = method === 'get' && operation.kind === 'command' ? {} : (operation.doc.example ?? {});
  const headers = parameters.filter(each => each.in === 'header' && each.required);
  return {
    service: target.baseUrl,
    tag: customTagOf(target),
    method,
    operation,
    fields: example as Sample['fields'],
    needsToken: caller === 'joined' || caller === 'known',
    isSignedByNewKey: caller === 'newKey',
    isPaid: price !== null,
    headers: headers.map(({ name }) => name),
  };
}

/** `fixed` replaces fields of the example, which is by default that of the operation. */
export function findSample(
  api: ApiDescription,
  id: string,
  fixed: Sample['fields'] = {},
  example?: Sample['fields'],
): Sample {
  const described = api.operations.find(each => each.id === id)!;
  const sample = sampleOf(described, api);
  return { ...sample, fields: { ...(example ?? sample.fields), ...fixed } };
}

/** Fields of a read go into the address. */
export function addressOf({ service, operation, fields }: Sample): string {
  if (operation.kind !== 'query') return service + operation.path;
  const path = operation.path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(fields[name] ?? ''));
  const queryFields = Object.entries(fields).filter(([name]) => Object.hasOwn(operation.query, name));
  return `${service}${path}${queryFields.length > 0 ? `?${new URLSearchParams(queryFields).toString()}` : ''}`;
}

/** Clients have no method for operations that do not answer JSON or that need header fields. */
export const hasClientMethod = ({ operation, headers }: Sample): boolean =>
  headers.length === 0 && !(operation.kind === 'query' && operation.media !== undefined);

const DOWNLOADED_MEDIA = new Set(['image/png', 'application/octet-stream']);

/** File name for an answer that a terminal cannot show. */
export const downloadNameOf = ({ operation, fields }: Sample): string | null =>
  operation.kind === 'query' && DOWNLOADED_MEDIA.has(operation.media ?? '')
    ? (fields['archive'] ?? 'picture.png')
    : null;

/** Typed values from which a client makes the same texts. */
export function valuesOf({ operation, fields }: Sample): [name: string, value: Json][] {
  const declared = fieldsOf(operation);
  const byClient = IDENTITY_CREATING_OPERATIONS.has(operation.name) ? CLIENT_FILLED_FIELD : undefined;
  const values = Object.entries(fields).filter(([name]) => name !== byClient);
  return values.map(([name, text]) => [name, valueOf(declared[name]!, text)]);
}

function valueOf({ value: { type } }: RequestField, text: string): Json {
  switch (type) {
    case 'number':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'readonly string[]':
      return text.split(',').map(each => each.trim());
    case 'readonly number[]':
      return text.split(',').map(Number);
    default:
      return text;
  }
}

/** A copied name would be taken, so the sample makes another one at each run. */
export const isNewName = ({ operation }: Sample, field: string): boolean =>
  field === 'name' && IDENTITY_CREATING_OPERATIONS.has(operation.name);

/** Placeholders for the reader's own values. */
export const READER_PLACEHOLDERS = {
  museId: 'agent_1a2b3c4d5e',
  token: '<your token>',
  wallet: '<private key of a wallet>',
} as const;

const COLUMNS_MAX = 88;

/** Puts a call on one line, or each part on its own line. */
export function wrapCall(before: string, parts: readonly string[], after: string, indent: string): string {
  const separated = before.endsWith('{') ? ` ${parts.join(', ')} ` : parts.join(', ');
  const line = `${before}${separated}${after}`;
  if (line.length <= COLUMNS_MAX) return line;
  return [before, ...parts.map(part => `${indent}${part},`), after].join('\n');
}
