import { mapMembers } from '#libs/kernel/map-members.js';
import { type TObjectOptions, type TSchema, Type } from 'typebox';

const STORED = Symbol('stored');

/** `shown`, of which events and documents store another form: they also hold what this version does not know. */
export const storedAs = <S extends TSchema>(stored: TSchema, shown: S): S => ({ ...shown, [STORED]: stored });

type Keywords = TSchema & {
  readonly [STORED]?: TSchema;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly properties?: { readonly [name: string]: TSchema };
  readonly items?: TSchema;
  readonly additionalProperties?: TSchema;
};

const ANNOTATIONS = new Set(['examples', 'description', 'x-shape', 'x-rare']);
const CLOSED: TObjectOptions = { additionalProperties: false };

type Form = <S extends TSchema>(shown: S) => S;

/** Removes examples and meanings. Objects get `options`. */
const plainForm =
  (options: TObjectOptions): Form =>
  <S extends TSchema>(shown: S) => {
    const form = withoutAnnotations(shown, plainForm(options), options);
    return (Type.IsOptional(shown) ? Type.Optional(form) : form) as S;
  };

/** Form in which documents store what an answer shows. */
export const storedForm = plainForm(CLOSED);
/** Form of the same in an event: its objects may have further members. */
export const eventForm = plainForm({});

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

function withoutAnnotations(shown: Keywords, form: Form, options: TObjectOptions): TSchema {
  const { type, enum: words, anyOf, properties, items, additionalProperties: each, [STORED]: stored } = shown;
  if (words?.includes(null)) return orNull(form({ ...shown, enum: words.filter(word => word !== null) }));
  if (Array.isArray(type)) return orNull(form({ ...shown, type: type[0] }));
  if (stored) return stored;
  if (words) return Type.Enum(words as string[]);
  if (anyOf) return Type.Union(anyOf.map(form));
  if (properties) return Type.Object(mapMembers(properties, form), options);
  if (items) return Type.Array(form(items));
  if (typeof each === 'object') return Type.Record(Type.String(), form(each));
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !ANNOTATIONS.has(name)));
}
