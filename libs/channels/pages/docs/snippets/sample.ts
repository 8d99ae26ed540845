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
import { callerKindOf, declarationOf } from '../declarations.js';

/** A request that works, apart from its ids, as it is shown in several languages. */
export interface Sample {
  /** The service's own address, without a slash at its end. */
  readonly service: string;
  /** First line of what is signed, where it is another one than the clients take by themselves. */
  readonly tag: string | null;
  readonly method: 'get' | 'post';
  readonly operation: Operation;
  /** As they are sent. */
  readonly fields: { readonly [name: string]: string };
  readonly needsToken: boolean;
  readonly isSignedByNewKey: boolean;
  readonly isPaid: boolean;
  /** Header fields that it looks at. */
  readonly headers: readonly string[];
}

/** Where a request goes, and how it is signed there. */
export type RequestTarget = Pick<ApiDescription, 'baseUrl' | 'messageTag'>;

/** As clients are told it: what is as everywhere is not said. */
export const customTagOf = ({ messageTag }: RequestTarget): string | null =>
  messageTag === MESSAGE_TAG ? null : messageTag;

/** What the declaration of an operation gives as an example. */
export function sampleOf(described: DescribedOperation, target: RequestTarget): Sample {
  const { method, parameters, price } = described;
  const operation = declarationOf(described);
  const caller = callerKindOf(operation);
  const own = method === 'get' && operation.kind === 'verb' ? {} : (operation.doc.example ?? {});
  const headers = parameters.filter(each => each.in === 'header' && each.required);
  return {
    service: target.baseUrl,
    tag: customTagOf(target),
    method,
    operation,
    fields: own as Sample['fields'],
    needsToken: caller === 'joined' || caller === 'known',
    isSignedByNewKey: caller === 'newKey',
    isPaid: price !== null,
    headers: headers.map(({ name }) => name),
  };
}

/** The example of an operation by its name, with fields of one's own in it. */
export function findSample(api: ApiDescription, id: string, fields: Sample['fields'] = {}): Sample {
  const sample = sampleOf(
    api.operations.find(each => each.id === id)!,
    api,
  );
  return { ...sample, fields: { ...sample.fields, ...fields } };
}

/** Where the request goes: a read's fields stand in the address. */
export function addressOf({ service, operation, fields }: Sample): string {
  if (operation.kind !== 'read') return service + operation.path;
  const path = operation.path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(fields[name] ?? ''));
  const asked = Object.entries(fields).filter(([name]) => Object.hasOwn(operation.query, name));
  return `${service}${path}${asked.length > 0 ? `?${new URLSearchParams(asked).toString()}` : ''}`;
}

/** Whether a client has a method for it: what answers no JSON, or looks at header fields, is asked for by hand. */
export const hasClientMethod = ({ operation, headers }: Sample): boolean =>
  headers.length === 0 && !(operation.kind === 'read' && operation.media !== undefined);

/** The fields as a program writes them, from which a client makes the same texts. */
export function valuesOf({ operation, fields }: Sample): [name: string, value: Json][] {
  const known = fieldsOf(operation);
  const byClient = IDENTITY_CREATING_OPERATIONS.has(operation.name) ? CLIENT_FILLED_FIELD : undefined;
  const given = Object.entries(fields).filter(([name]) => name !== byClient);
  return given.map(([name, text]) => [name, valueOf(known[name]!, text)]);
}

function valueOf({ check: { type } }: RequestField, text: string): Json {
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

/** What stands for a reader's own identity, token and wallet. */
export const READER_PLACEHOLDERS = {
  museId: 'agent_1a2b3c4d5e',
  token: '<your token>',
  wallet: '<private key of a wallet>',
} as const;
