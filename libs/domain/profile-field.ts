import { type Static, type TArray, type TBoolean, type TSchema, type TString, Type } from 'typebox';
import type { FieldValidator } from '#libs/validation/field-validator.js';
import type { Presence, RequestField } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import type { Exposure } from './define.js';
import * as f from './event-fields.js';

export type ProfileCommand = 'quickstart' | 'register' | 'join' | 'profile';
/** Visible in all mentions of the muse, only on its profile, or only to its owner. */
export type ProfileVisibility = 'summary' | 'profile' | 'owner';

type FieldByCommand = { readonly [V in ProfileCommand]?: Presence | RequestField };

type ProfileExposure = Exclude<Exposure, 'held'>;

interface ProfileFieldOptions<X extends ProfileExposure, W extends ProfileVisibility, B extends FieldByCommand> {
  readonly exposure: X;
  readonly shown: X extends 'private' ? W & 'owner' : W;
  readonly takenBy: B;
  readonly meaning?: string;
}

type ProfileRequestFields<T, B extends FieldByCommand> = {
  readonly [V in keyof B]: B[V] extends Presence ? RequestField<T, B[V]> : B[V];
};

export interface ProfileField<
  S extends TSchema = TSchema,
  U = unknown,
  A extends boolean = boolean,
  X extends Exposure = Exposure,
  W extends ProfileVisibility = ProfileVisibility,
  R = { readonly [verb: string]: RequestField },
> {
  readonly value: S;
  /** Value if it was never set or was cleared. */
  readonly unset: U;
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
  const requests = Object.entries(takenBy).map(([command, rule]) => [
    command,
    { ...(typeof rule === 'string' ? { check, presence: rule } : rule), ...(meaning && { meaning }) },
  ]);
  return {
    ...kind,
    exposure,
    shown,
    requests: Object.fromEntries(requests) as ProfileRequestFields<T, B>,
    ...(meaning && { meaning }),
  };
}

export function textField<
  const X extends ProfileExposure,
  const W extends ProfileVisibility,
  const B extends FieldByCommand,
>(
  check: FieldValidator,
  { example, ...options }: ProfileFieldOptions<X, W, B> & { readonly example: string },
): ProfileField<TString, null, false, X, W, ProfileRequestFields<string, B>> {
  return buildField({ value: f.text, unset: null, always: false, example }, check, options);
}

export function requiredTextField<const W extends ProfileVisibility, const B extends FieldByCommand>(
  check: FieldValidator,
  { example, ...options }: Omit<ProfileFieldOptions<'personal', W, B>, 'exposure'> & { readonly example: string },
): ProfileField<TString, null, true, 'personal', W, ProfileRequestFields<string, B>> {
  return buildField({ value: f.text, unset: null, always: true, example }, check, { ...options, exposure: 'personal' });
}

export function flagField<const W extends ProfileVisibility, const B extends FieldByCommand>(
  options: Omit<ProfileFieldOptions<'clear', W, B>, 'exposure'>,
): ProfileField<TBoolean, false, false, 'clear', W, ProfileRequestFields<boolean, B>> {
  return buildField({ value: f.flag, unset: false, always: false, example: true }, c.flag, {
    ...options,
    exposure: 'clear',
  });
}

export function listField<
  S extends TSchema,
  const X extends ProfileExposure,
  const W extends ProfileVisibility,
  const B extends FieldByCommand,
>(
  item: S,
  check: FieldValidator<Static<S>[]>,
  { example, ...options }: ProfileFieldOptions<X, W, B> & { readonly example: readonly Static<S>[] },
): ProfileField<TArray<S>, never[], false, X, W, ProfileRequestFields<Static<S>[], B>> {
  return buildField({ value: Type.Array(item), unset: [], always: false, example }, check, options);
}
