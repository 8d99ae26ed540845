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
import { EVM_ADDRESS } from '#libs/kernel/evm-address.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import type { Json } from '#libs/kernel/json.js';

type Options = { readonly [keyword: string]: unknown };

export const SHAPE_NAME = 'x-shape';

export const object = <P extends TProperties>(properties: P, options: Options = {}) => Type.Object(properties, options);

export const shape = <P extends TProperties>(name: string, properties: P, description?: string): TObject<P> =>
  Type.Object(properties, { [SHAPE_NAME]: name, ...(description && { description }) });

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
export const list = <T extends TSchema>(schema: T, options: Options = {}) => Type.Array(schema, options);

export function orNull<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values, ...rest } = schema as { readonly type?: unknown; readonly enum?: readonly unknown[] };
  if (SHAPE_NAME in schema) return Type.Unsafe({ anyOf: [schema, Type.Null()] });
  if (values) return Type.Unsafe({ ...rest, enum: [...values, null] });
  return Type.Unsafe(typeof type === 'string' ? { ...schema, type: [type, 'null'] } : schema);
}

export const oneOf = <const V extends string>(...values: readonly V[]): TUnsafe<V> =>
  Type.Unsafe({ type: 'string', enum: [...values] });
/** Adds the type of booleans and numbers, which generators of clients need. */
export const literal = <const V extends string | number | boolean>(value: V): TUnsafe<V> =>
  Type.Unsafe({ ...(typeof value !== 'string' && { type: typeof value }), const: value });

export const anything: TUnsafe<Json> = Type.Unsafe({});

export const mapOf = <T extends TSchema>(schema: T, example: object = {}): TUnsafe<{ [name: string]: Static<T> }> =>
  Type.Unsafe({ type: 'object', additionalProperties: schema, examples: [example] });

export const open = (example: object, description: string): TUnsafe<object> =>
  Type.Unsafe({ type: 'object', additionalProperties: true, examples: [example], description });

const described = (example: unknown, description?: string) => ({
  examples: [example],
  ...(description && { description }),
});
export const text = (example: string, description?: string): TString => Type.String(described(example, description));
export const flag = (example = true, description?: string): TBoolean => Type.Boolean(described(example, description));
export const integer = (example = 1, description?: string): TInteger =>
  Type.Integer({ minimum: 0, ...described(example, description) });
export const number = (example: number, description?: string): TNumber =>
  Type.Number({ minimum: 0, ...described(example, description) });
const pattern = (source: string, example: string, description?: string): TString =>
  Type.String({ pattern: source, ...described(example, description) });

const EXAMPLE_TIME = 1_767_225_600_000;
const ITEM_MAX = 999_999_999_999_999;
const ID_MAX = 999_999_999_999;

export const time = (description = 'Unix ms'): TInteger => integer(EXAMPLE_TIME, description);
export const museId = pattern(MUSE_ID.source, 'agent_1a2b3c4d5e');
export const slug = pattern('^[a-z0-9][a-z0-9-]{0,79}$', 'job-123456789012');
export const id: TInteger = Type.Integer({ minimum: 1, maximum: ID_MAX, examples: [123_456_789_012] });
export const itemId: TInteger = Type.Integer({
  minimum: 1,
  maximum: ITEM_MAX,
  examples: [123_456_789_012_345],
  description: 'At most 12 digits for posts, 13 to 15 for other items',
});
export const usd = pattern('^[0-9]{1,24}(\\.[0-9]{1,6})?$', '10', 'US dollars as a decimal with up to 6 places');
export const amount = pattern('^[0-9]{1,30}$', '10000000', "The token's smallest unit");
export const digest = pattern('^[0-9a-f]{64}$', '9f'.repeat(32), 'sha256, lower-case hex');
export const transaction = pattern('^0x[0-9a-f]{64}$', `0x${'4b'.repeat(32)}`, 'A transaction');
export const wallet = pattern(EVM_ADDRESS.source, `0x${'1'.repeat(40)}`, 'An EVM address');
export const publicKey = pattern(
  '^[A-Za-z0-9_-]{43}$',
  '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  'An ed25519 public key, base64url',
);
export const chainName = oneOf('base', 'robinhood');
export const token = oneOf('USDC', 'USDG');
export const railName = oneOf('usdc-base', 'usdg-robinhood');
export const network = pattern('^eip155:[0-9]+$', 'eip155:8453', 'CAIP-2 id of the chain');
export const skills = list(text('french'));
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
