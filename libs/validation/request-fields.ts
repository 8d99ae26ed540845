import type { RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { RequestValue } from '#libs/values/value.js';

/** `clearable`: if omitted, the value stays; if empty, it is removed. */
export type Presence = 'needed' | 'optional' | 'clearable';

export interface RequestField<T = unknown, P extends Presence = Presence> {
  readonly value: RequestValue<T>;
  readonly presence: P;
  readonly meaning?: string;
  /** Name of the field without which this one is needed. */
  readonly unless?: string;
}

export interface FieldDeclarations {
  readonly [name: string]: RequestField;
}

const field =
  <P extends Presence>(presence: P) =>
  <T>(value: RequestValue<T>, meaning?: string): RequestField<T, P> => ({
    value,
    presence,
    ...(meaning && { meaning }),
  });

export const needed = field('needed');
export const optional = field('optional');
export const clearable = field('clearable');
/** Needed unless another field of the request is given. */
export const neededWithout =
  (unless: string) =>
  <T>(value: RequestValue<T>, meaning?: string): RequestField<T, 'optional'> => ({
    ...optional(value, meaning),
    unless,
  });

type FieldNames<F extends FieldDeclarations, P extends Presence> = {
  [K in keyof F]: F[K] extends RequestField<unknown, P> ? K : never;
}[keyof F];
type FieldValue<R> = R extends RequestField<infer T> ? T : never;

export type FieldValues<F extends FieldDeclarations> = { readonly [K in FieldNames<F, 'needed'>]: FieldValue<F[K]> } & {
  readonly [K in FieldNames<F, 'optional'>]?: FieldValue<F[K]>;
} & { readonly [K in FieldNames<F, 'clearable'>]?: FieldValue<F[K]> | null };

/** The log also holds unknown fields, because they are signed. */
export function pickKnownFields(fields: FieldDeclarations, sent: RequestFields): RequestFields {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(fields, name)));
}

export function parseFieldValues<F extends FieldDeclarations>(fields: F, sent: RequestFields): FieldValues<F> {
  const values: { [name: string]: unknown } = {};
  for (const [name, { value, presence }] of Object.entries(fields)) {
    const text = sent[name];
    if (text === undefined) continue;
    if (text !== '') values[name] = value.parse(text);
    else if (presence === 'clearable') values[name] = null;
  }
  return values as FieldValues<F>;
}

/** Comma separated fields that an unsigned request may also send as an array of strings. */
export const LIST_FIELDS: ReadonlySet<string> = new Set(['skills', 'proofs', 'events']);

export function withArrayForm(name: string, schema: JsonObject): JsonObject {
  if (!LIST_FIELDS.has(name)) return schema;
  const { description, ...text } = schema;
  return {
    ...(description !== undefined && { description }),
    anyOf: [text, { type: 'array', items: { type: 'string' } }],
  };
}
