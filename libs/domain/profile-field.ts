import type { Static, TSchema } from 'typebox';
import type { Value } from '#libs/values/value.js';
import type { Presence, RequestField } from '#libs/validation/request-fields.js';
import type { Exposure } from './define.js';
import { type Unset, unsetOf } from './fields.js';

export type ProfileCommand = 'quickstart' | 'register' | 'join' | 'profile';
/** Visible in all mentions of the muse, only on its profile, or only to its owner. */
export type ProfileVisibility = 'summary' | 'profile' | 'owner';

type FieldByCommand = { readonly [V in ProfileCommand]?: Presence | RequestField };

type ProfileExposure = Exclude<Exposure, 'held'>;

interface ProfileFieldOptions<
  S extends TSchema,
  A extends boolean,
  X extends ProfileExposure,
  W extends ProfileVisibility,
  B extends FieldByCommand,
> {
  readonly exposure: X;
  readonly shown: X extends 'private' ? W & 'owner' : W;
  readonly takenBy: B;
  readonly example: Static<S>;
  readonly meaning?: string;
  /** Meaning in events, where it differs from that of the request. */
  readonly recorded?: string;
  /** Whether it is set from the beginning on. */
  readonly always?: A;
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
  R = { readonly [command: string]: RequestField },
> {
  readonly value: S;
  readonly unset: U;
  readonly always: A;
  readonly exposure: X;
  readonly shown: W;
  readonly requests: R;
  readonly example: unknown;
  readonly meaning?: string;
  readonly recorded?: string;
}

export function profileField<
  V extends Value<unknown, TSchema>,
  const X extends ProfileExposure,
  const W extends ProfileVisibility,
  const B extends FieldByCommand,
  const A extends boolean = false,
>(
  value: V,
  { takenBy, always = false as A, ...options }: ProfileFieldOptions<V['stored'], A, X, W, B>,
): ProfileField<V['stored'], Unset<V['stored']>, A, X, W, ProfileRequestFields<Static<V['stored']>, B>> {
  const { meaning } = options;
  const requests = Object.entries(takenBy).map(([command, rule]) => [
    command,
    { ...(typeof rule === 'string' ? { value, presence: rule } : rule), ...(meaning && { meaning }) },
  ]);
  const unset = unsetOf<V['stored']>(value.stored);
  const byCommand = Object.fromEntries(requests) as ProfileRequestFields<Static<V['stored']>, B>;
  return { ...options, value: value.stored, unset, always, requests: byCommand };
}
