import {
  type Static,
  type TBoolean,
  type TInteger,
  type TNumber,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from 'typebox';
import type { Json } from '#libs/kernel/json.js';
import { storedAs } from './stored-form.js';
import { described } from './value.js';
import * as values from './values.js';

type Options = { readonly [keyword: string]: unknown };

export const SHAPE_NAME = 'x-shape';

export const object = <P extends TProperties>(properties: P, options: Options = {}) => Type.Object(properties, options);

export const shape = <P extends TProperties>(name: string, description: string, properties: P): TObject<P> =>
  Type.Object(properties, { [SHAPE_NAME]: name, description });

/** Shapes take their meaning where they are declared, and show it where they are used. */
export const means = <T extends TSchema>(description: string, schema: T): T => ({ ...schema, description });

/** Object and list of objects that only one member has. */
export const part = <P extends TProperties>(description: string, properties: P) => object(properties, { description });
export const parts = <P extends TProperties>(description: string, properties: P) =>
  list(object(properties), description);

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
export const list = <T extends TSchema>(schema: T, description?: string, options: Options = {}) =>
  Type.Array(schema, { ...options, ...(description && { description }) });

export function orNull<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values, ...rest } = schema as { readonly type?: unknown; readonly enum?: readonly unknown[] };
  if (SHAPE_NAME in schema) return Type.Unsafe({ anyOf: [schema, Type.Null()] });
  if (values) return Type.Unsafe({ ...rest, enum: [...new Set([...values, null])] });
  return Type.Unsafe(typeof type === 'string' ? { ...schema, type: [type, 'null'] } : schema);
}

export const oneOf = <const V extends string>(...values: readonly V[]): TUnsafe<V> =>
  Type.Unsafe({ type: 'string', enum: [...values] });
/** Adds the type of booleans and numbers, which generators of clients need. */
export const literal = <const V extends string | number | boolean>(value: V, description?: string): TUnsafe<V> =>
  Type.Unsafe({
    ...(typeof value !== 'string' && { type: typeof value }),
    const: value,
    ...(description && { description }),
  });

export const anything: TUnsafe<Json> = Type.Unsafe({});

export const mapOf = <T extends TSchema>(
  schema: T,
  example: object = {},
  description?: string,
): TUnsafe<{ [name: string]: Static<T> }> =>
  Type.Unsafe({ type: 'object', additionalProperties: schema, ...described(example, description) });

export const open = (example: object, description: string): TUnsafe<object> =>
  Type.Unsafe({ type: 'object', additionalProperties: true, examples: [example], description });

export const text = (example: string, description?: string): TString => Type.String(described(example, description));
export const flag = (example = true, description?: string): TBoolean => Type.Boolean(described(example, description));
export const integer = (example = 1, description?: string): TInteger =>
  Type.Integer({ minimum: 0, ...described(example, description) });
export const number = (example: number, description?: string): TNumber =>
  Type.Number({ minimum: 0, ...described(example, description) });
const pattern = (source: string, example: string, description?: string): TString =>
  Type.String({ pattern: source, ...described(example, description) });

const EXAMPLE_TIME = 1_767_225_600_000;

export const time = (description = 'Unix ms'): TInteger => integer(EXAMPLE_TIME, description);
export const museId = values.museId.shown;
export const slug = values.slug.shown;
export const id = values.id.shown;
export const item = values.item.shown;
export const publicKey = values.publicKey.shown;
export const wallet = values.wallet.shown;
export const transaction = values.transaction.shown;
export const digest = values.digest.shown;
export const amount = values.amount.shown;
export const usd = values.usd.shown;
export const rail = values.rail.shown;
export const token = values.token.shown;
export const chainName = values.chainName.shown;
export const network = storedAs(Type.String(), pattern('^eip155:[0-9]+$', 'eip155:8453', 'CAIP-2 id of the chain'));
export const skills = list(text('french'), 'Skills, in lower case');
export const position = pattern('^[0-9]+$', '00000000000000000042', 'A position in the log: opaque, compares as text');
export const path = (example: string, description = 'A path of this service'): TString =>
  pattern('^/', example, description);
export const link = (example: string, description: string): TString => pattern('^(https?://|/)', example, description);
export const cursor = orNull(
  text('WyIwMDAwMDAwMDAwMDAwMDQyIiwiMSJd', 'Send it back to get the next page; null on the last page'),
);

export const anyOf = <T extends readonly TSchema[]>(name: string, ...schemas: T): TUnsafe<Static<T[number]>> =>
  Type.Unsafe({ anyOf: [...schemas], [SHAPE_NAME]: name });

export const SHAPE_RARE = 'x-rare';

export const rarelyPresent = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Unsafe<Static<T>>({ ...schema, [SHAPE_RARE]: true }));
