import type { RequestFields } from '#libs/kernel/event.js';
import type { FieldValidator } from './field-validator.js';

/** Whether a field must be there, may be left out, or may be left out and, where it is empty, clears what it names. */
export type Presence = 'needed' | 'optional' | 'clearable';

/** One field of a request. `T` is what its text says. */
export interface RequestField<T = unknown, P extends Presence = Presence> {
  readonly check: FieldValidator<T>;
  readonly presence: P;
  /** What it means, for the API description. */
  readonly meaning?: string;
}

/** The fields of a request, by name. */
export interface FieldDeclarations {
  readonly [name: string]: RequestField;
}

const field =
  <P extends Presence>(presence: P) =>
  <T>(check: FieldValidator<T>, meaning?: string): RequestField<T, P> => ({
    check,
    presence,
    ...(meaning && { meaning }),
  });

/** Left out or empty is refused. */
export const needed = field('needed');
/** Left out and empty are the same. */
export const optional = field('optional');
/** Left out keeps what there is; empty clears it, and is read as null. */
export const clearable = field('clearable');

type FieldNames<F extends FieldDeclarations, P extends Presence> = {
  [K in keyof F]: F[K] extends RequestField<unknown, P> ? K : never;
}[keyof F];
type FieldValue<R> = R extends RequestField<infer T> ? T : never;

/** What the fields of a request say. */
export type FieldValues<F extends FieldDeclarations> = { readonly [K in FieldNames<F, 'needed'>]: FieldValue<F[K]> } & {
  readonly [K in FieldNames<F, 'optional'>]?: FieldValue<F[K]>;
} & { readonly [K in FieldNames<F, 'clearable'>]?: FieldValue<F[K]> | null };

/** The known fields of a request. Unknown ones are in the log because they are signed. */
export function pickKnownFields(fields: FieldDeclarations, sent: RequestFields): RequestFields {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(fields, name)));
}

/**
 * What the fields of a request say: of one that was checked, or that was right under the rules of its time. Fields
 * that are not known are left out.
 */
export function parseFieldValues<F extends FieldDeclarations>(fields: F, sent: RequestFields): FieldValues<F> {
  const values: { [name: string]: unknown } = {};
  for (const [name, { check, presence }] of Object.entries(fields)) {
    const text = sent[name];
    if (text === undefined) continue;
    if (text !== '') values[name] = check.parse(text);
    else if (presence === 'clearable') values[name] = null;
  }
  return values as FieldValues<F>;
}
