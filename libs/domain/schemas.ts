import { type Static, Type, type TSchema } from 'typebox';
import type { RequestFields } from '#libs/kernel/event.js';
import { EVM_ADDRESS } from '#libs/kernel/evm-address.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import type { Json } from '#libs/kernel/json.js';

export const museId = Type.String({ pattern: MUSE_ID.source });
export const text = Type.String();
export const flag = Type.Boolean();
export const integer = Type.Integer({ minimum: 0 });
/** Unix ms. */
export const time = Type.Integer({ minimum: 0 });
/** Smallest units of a token. */
export const amount = Type.String({ pattern: '^[0-9]{1,30}$' });
export const usd = Type.String({ pattern: '^[0-9]{1,24}(\\.[0-9]{1,6})?$' });
export const hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
export const transaction = Type.String({ pattern: '^0x[0-9a-f]{64}$' });
export const address = Type.String({ pattern: EVM_ADDRESS.source });
export const publicKey = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
export const slug = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,79}$' });
export const skills = Type.Array(Type.String());
export const id = Type.Integer({ minimum: 1, maximum: 999_999_999_999 });
export const item = Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 });
export const rail = Type.Unsafe<'usdg-robinhood' | 'usdc-base'>(Type.String());
export type RailName = Static<typeof rail>;
export const token = Type.Unsafe<'USDG' | 'USDC'>(Type.String());
export const chainName = Type.Unsafe<'robinhood' | 'base'>(Type.String());
export type ChainName = Static<typeof chainName>;
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
export const list = <T extends TSchema>(schema: T) => Type.Array(schema);
export const byMuse = <T extends TSchema>(schema: T) => Type.Record(museId, schema);
export const object = Type.Object;
export const oneOf = <const T extends string[]>(...values: T) => Type.Unsafe<T[number]>(Type.Enum(values));
export const json = Type.Unsafe<Json>(Type.Unknown());
export const requestFields = Type.Unsafe<RequestFields>(Type.Record(Type.String(), Type.String()));
