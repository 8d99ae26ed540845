import {
  type Static,
  type TArray,
  type TBoolean,
  type TNull,
  type TOptional,
  type TSchema,
  type TUnion,
  type TUnsafe,
  Type,
} from 'typebox';
import { clearable, type RequestField } from '#libs/validation/request-fields.js';
import type { Described } from '#libs/values/values.js';
import * as w from '#libs/values/answer-schema.js';
import { eventForm, storedForm } from '#libs/values/stored-form.js';
import { mapMembers } from '#libs/kernel/map-members.js';
import type { EventField, Exposure } from './define.js';

/**
 * Field of a subject in all its forms. `shown` is its form in answers, `schema` the one in events; documents have the
 * form of events, with null for what can be erased. `request` is the field of the request that sets it.
 */
export interface SubjectField<
  S extends TSchema = TSchema,
  X extends Exposure = Exposure,
  R extends RequestField | undefined = RequestField | undefined,
> extends EventField<S, X> {
  readonly shown: S;
  readonly request: R;
}

/** Fields of a subject by name. Events take the table itself; the functions below make its other forms. */
export interface FieldTable {
  readonly [name: string]: SubjectField;
}

const fieldOf =
  <const X extends Exposure>(exposure: X) =>
  <S extends TSchema, R extends RequestField | undefined = undefined>(shown: S, request?: R) =>
    ({ shown, schema: eventForm(shown), exposure, meaning: (shown as Described).description, request }) as SubjectField<
      S,
      X,
      R
    >;

export const clearField = fieldOf('clear');
export const personalField = fieldOf('personal');
export const privateField = fieldOf('private');

type Erasable<X extends Exposure, S extends TSchema, N extends TSchema> = X extends 'clear' ? S : N;

type DocumentFields<T extends FieldTable> = {
  readonly [K in keyof T]: Erasable<T[K]['exposure'], T[K]['schema'], TUnion<[T[K]['schema'], TNull]>>;
};
type AnswerFields<T extends FieldTable> = {
  readonly [K in keyof T]: Erasable<T[K]['exposure'], T[K]['shown'], TUnsafe<Static<T[K]['shown']> | null>>;
};
type RequestFieldsOf<T extends FieldTable> = {
  readonly [K in keyof T as T[K]['request'] extends RequestField ? K : never]: Exclude<T[K]['request'], undefined>;
};

export const answerFields = <T extends FieldTable>(table: T): AnswerFields<T> =>
  mapMembers(table, ({ shown, exposure }) => (exposure === 'clear' ? shown : w.orNull(shown))) as AnswerFields<T>;

/** Fields of an answer that is null as a whole once a text is erased. */
export const unerasedFields = <T extends FieldTable>(table: T): { readonly [K in keyof T]: T[K]['shown'] } =>
  mapMembers(table, ({ shown }) => shown);

export const documentFields = <T extends FieldTable>(table: T): DocumentFields<T> =>
  mapMembers(answerFields(table), storedForm) as unknown as DocumentFields<T>;

/** The meaning of a field is that of its answer, unless its request has another one. */
export function requestFields<T extends FieldTable>(table: T): RequestFieldsOf<T> {
  const rows = Object.entries(table).filter(([, { request }]) => request);
  return mapMembers(Object.fromEntries(rows), ({ request, ...field }) => {
    const { meaning = field.meaning, unless } = request!;
    return { ...request, meaning: unless === undefined ? meaning : `${meaning}; needed without \`${unless}\`` };
  }) as RequestFieldsOf<T>;
}

/** Fields of a request that changes the subject: each can be left out or cleared. */
export const updateFields = <T extends FieldTable>(table: T) =>
  mapMembers(table, ({ request, meaning }) => clearable<unknown>(request!.value, meaning)) as {
    readonly [K in keyof T]: T[K]['request'] extends RequestField<infer V> ? RequestField<V, 'clearable'> : never;
  };

/** Fields of the event of such a request. */
export const optionalFields = <T extends FieldTable>(table: T) =>
  mapMembers<T, EventField>(table, ({ schema, ...field }) => ({ ...field, schema: Type.Optional(schema) })) as {
    readonly [K in keyof T]: EventField<TOptional<T[K]['schema']>, T[K]['exposure']>;
  };

/** Nulls for the fields that an erasure removes. */
export const erasedFields = <T extends FieldTable>(table: T) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { exposure }]) => (exposure === 'clear' ? [] : [[name, null]])),
  ) as { readonly [K in keyof T as T[K]['exposure'] extends 'clear' ? never : K]: null };

type EventValues<T extends FieldTable> = { readonly [K in keyof T]: Static<T[K]['schema']> };

/** Value of a field that is left out or cleared. */
export type Unset<S extends TSchema> = S extends TBoolean ? false : S extends TArray ? never[] : null;

export const unsetOf = <S extends TSchema>(schema: S) =>
  ('items' in schema ? [] : (schema as { readonly type?: string }).type === 'boolean' ? false : null) as Unset<S>;

/** Unset values where a value is left out. */
export const completeFields = <T extends FieldTable>(table: T, values: { readonly [K in keyof T]?: unknown }) =>
  mapMembers(table, ({ schema }, name) => values[name] ?? unsetOf(schema)) as EventValues<T>;

/** The opposite of `completeFields`: keeps null only where an erasure removed a value. */
export const givenFields = <T extends FieldTable>(table: T, data: { readonly [K in keyof T]: unknown }) =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { schema }]) =>
      data[name] === null && 'anyOf' in schema ? [] : [[name, data[name]]],
    ),
  ) as { readonly [K in keyof T]?: Static<T[K]['schema']> };

export const pickFields = <T extends object, D extends { readonly [K in keyof T]: unknown }>(table: T, data: D) =>
  mapMembers(table, (_field, name) => data[name as keyof D]) as { readonly [K in keyof T]: D[K & keyof D] };
