import { type Static, type TArray, type TBoolean, type TSchema, type TString, Type } from 'typebox';
import type { RequestValue } from '#libs/values/value.js';
import type { Presence, RequestField } from '#libs/validation/request-fields.js';
import type { Exposure } from './define.js';
import * as f from './event-fields.js';

export type ProfileCommand = 'quickstart' | 'register' | 'join' | 'profile';
/** Visible in all mentions of the muse, only on its profile, or only to its owner. */
export type ProfileVisibility = 'summary' | 'profile' | 'owner';

type FieldByCommand = { readonly [V in ProfileCommand]?: Presence | RequestField };

type ProfileExposure = Exclude<Exposure, 'held'>;

interface FieldKind<S extends TSchema, U, A extends boolean> {
  readonly value: S;
  /** Value if it was never set or was cleared. */
  readonly unset: U;
  readonly always: A;
}

export const TEXT: FieldKind<TString, null, false> = { value: f.text, unset: null, always: false };
export const REQUIRED_TEXT: FieldKind<TString, null, true> = { ...TEXT, always: true };
export const FLAG: FieldKind<TBoolean, false, false> = { value: f.flag, unset: false, always: false };
export const listOf = <S extends TSchema>(item: S): FieldKind<TArray<S>, never[], false> => ({
  value: Type.Array(item),
  unset: [],
  always: false,
});

interface ProfileFieldOptions<
  S extends TSchema,
  X extends ProfileExposure,
  W extends ProfileVisibility,
  B extends FieldByCommand,
> {
  readonly exposure: X;
  readonly shown: X extends 'private' ? W & 'owner' : W;
  readonly takenBy: B;
  readonly example: Static<S>;
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
> extends FieldKind<S, U, A> {
  readonly exposure: X;
  readonly shown: W;
  readonly requests: R;
  readonly example: unknown;
  readonly meaning?: string;
}

export function profileField<
  S extends TSchema,
  U,
  A extends boolean,
  const X extends ProfileExposure,
  const W extends ProfileVisibility,
  const B extends FieldByCommand,
>(
  kind: FieldKind<S, U, A>,
  value: RequestValue<Static<S>>,
  { takenBy, ...options }: ProfileFieldOptions<S, X, W, B>,
): ProfileField<S, U, A, X, W, ProfileRequestFields<Static<S>, B>> {
  const { meaning } = options;
  const requests = Object.entries(takenBy).map(([command, rule]) => [
    command,
    { ...(typeof rule === 'string' ? { value, presence: rule } : rule), ...(meaning && { meaning }) },
  ]);
  return { ...kind, ...options, requests: Object.fromEntries(requests) as ProfileRequestFields<Static<S>, B> };
}
