import { type Static, type TArray, type TBoolean, type TSchema, type TString, Type } from 'typebox';
import type { FieldValidator } from '#libs/validation/field-validator.js';
import type { Presence, RequestField } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import type { Exposure } from './define.js';
import * as f from './event-fields.js';

/** The verbs that take what a muse says of itself. */
export type ProfileCommand = 'quickstart' | 'register' | 'join' | 'profile';
/** Where a value is shown: wherever its muse is mentioned, on its profile alone, or to its owner alone. */
export type ProfileVisibility = 'summary' | 'profile' | 'owner';

/** How each verb takes a field: by the field's own check, or by a check of the verb's own. */
type FieldByCommand = { readonly [V in ProfileCommand]?: Presence | RequestField };

/** What is held for ever is nothing that a muse says of itself. */
type ProfileExposure = Exclude<Exposure, 'held'>;

interface ProfileFieldOptions<X extends ProfileExposure, W extends ProfileVisibility, B extends FieldByCommand> {
  readonly exposure: X;
  /** What is private is shown to its owner alone. */
  readonly shown: X extends 'private' ? W & 'owner' : W;
  readonly takenBy: B;
  readonly meaning?: string;
}

type ProfileRequestFields<T, B extends FieldByCommand> = {
  readonly [V in keyof B]: B[V] extends Presence ? RequestField<T, B[V]> : B[V];
};

/** One row of the table. */
export interface ProfileField<
  S extends TSchema = TSchema,
  U = unknown,
  A extends boolean = boolean,
  X extends Exposure = Exposure,
  W extends ProfileVisibility = ProfileVisibility,
  R = { readonly [verb: string]: RequestField },
> {
  /** Of a value that is there. */
  readonly value: S;
  /** What it is where nothing was said, and after it was cleared. */
  readonly unset: U;
  /** Whether it is said from the first on, and cannot be cleared. */
  readonly always: A;
  readonly exposure: X;
  readonly shown: W;
  readonly requests: R;
  readonly example: unknown;
  readonly meaning?: string;
}

function buildField<
  S extends TSchema,
  U,
  A extends boolean,
  T,
  X extends ProfileExposure,
  W extends ProfileVisibility,
  B extends FieldByCommand,
>(
  kind: { readonly value: S; readonly unset: U; readonly always: A; readonly example: unknown },
  check: FieldValidator<T>,
  { takenBy, exposure, shown, meaning }: ProfileFieldOptions<X, W, B>,
): ProfileField<S, U, A, X, W, ProfileRequestFields<T, B>> {
  const requests = Object.entries(takenBy).map(([verb, taken]) => [
    verb,
    { ...(typeof taken === 'string' ? { check, presence: taken } : taken), ...(meaning && { meaning }) },
  ]);
  return {
    ...kind,
    exposure,
    shown,
    requests: Object.fromEntries(requests) as ProfileRequestFields<T, B>,
    ...(meaning && { meaning }),
  };
}

/** A text that may be left out, and is null then. */
export function textField<
  const X extends ProfileExposure,
  const W extends ProfileVisibility,
  const B extends FieldByCommand,
>(
  check: FieldValidator,
  { example, ...said }: ProfileFieldOptions<X, W, B> & { readonly example: string },
): ProfileField<TString, null, false, X, W, ProfileRequestFields<string, B>> {
  return buildField({ value: f.text, unset: null, always: false, example }, check, said);
}

/** A text that there always is; null once it was erased. */
export function requiredTextField<const W extends ProfileVisibility, const B extends FieldByCommand>(
  check: FieldValidator,
  { example, ...said }: Omit<ProfileFieldOptions<'personal', W, B>, 'exposure'> & { readonly example: string },
): ProfileField<TString, null, true, 'personal', W, ProfileRequestFields<string, B>> {
  return buildField({ value: f.text, unset: null, always: true, example }, check, { ...said, exposure: 'personal' });
}

/** A flag, which is off where nothing was said. */
export function flagField<const W extends ProfileVisibility, const B extends FieldByCommand>(
  said: Omit<ProfileFieldOptions<'clear', W, B>, 'exposure'>,
): ProfileField<TBoolean, false, false, 'clear', W, ProfileRequestFields<boolean, B>> {
  return buildField({ value: f.flag, unset: false, always: false, example: true }, c.flag, {
    ...said,
    exposure: 'clear',
  });
}

/** A list, which is empty where nothing was said. */
export function listField<
  S extends TSchema,
  const X extends ProfileExposure,
  const W extends ProfileVisibility,
  const B extends FieldByCommand,
>(
  item: S,
  check: FieldValidator<Static<S>[]>,
  { example, ...said }: ProfileFieldOptions<X, W, B> & { readonly example: readonly Static<S>[] },
): ProfileField<TArray<S>, never[], false, X, W, ProfileRequestFields<Static<S>[], B>> {
  return buildField({ value: Type.Array(item), unset: [], always: false, example }, check, said);
}
