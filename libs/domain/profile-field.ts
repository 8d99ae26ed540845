import { type Static, type TArray, type TBoolean, type TSchema, type TString, Type } from 'typebox';
import type { Check } from '#libs/validation/check.js';
import type { Presence, RequestField } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import type { Exposure } from './define.js';
import * as f from './fields.js';

/** The verbs that take what a muse says of itself. */
export type ProfileVerb = 'quickstart' | 'register' | 'join' | 'profile';
/** Where a value is shown: wherever its muse is mentioned, on its profile alone, or to its owner alone. */
export type Shown = 'summary' | 'profile' | 'owner';

/** How each verb takes a field: by the field's own check, or by a check of the verb's own. */
type TakenBy = { readonly [V in ProfileVerb]?: Presence | RequestField };

/** What is held for ever is nothing that a muse says of itself. */
type ProfileExposure = Exclude<Exposure, 'held'>;

interface Saying<X extends ProfileExposure, W extends Shown, B extends TakenBy> {
  readonly exposure: X;
  /** What is private is shown to its owner alone. */
  readonly shown: X extends 'private' ? W & 'owner' : W;
  readonly takenBy: B;
  readonly meaning?: string;
}

type RequestFields<T, B extends TakenBy> = {
  readonly [V in keyof B]: B[V] extends Presence ? RequestField<T, B[V]> : B[V];
};

/** One row of the table. */
export interface ProfileField<
  S extends TSchema = TSchema,
  U = unknown,
  A extends boolean = boolean,
  X extends Exposure = Exposure,
  W extends Shown = Shown,
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

function row<S extends TSchema, U, A extends boolean, T, X extends ProfileExposure, W extends Shown, B extends TakenBy>(
  kind: { readonly value: S; readonly unset: U; readonly always: A; readonly example: unknown },
  check: Check<T>,
  { takenBy, exposure, shown, meaning }: Saying<X, W, B>,
): ProfileField<S, U, A, X, W, RequestFields<T, B>> {
  const requests = Object.entries(takenBy).map(([verb, taken]) => [
    verb,
    { ...(typeof taken === 'string' ? { check, presence: taken } : taken), ...(meaning && { meaning }) },
  ]);
  return {
    ...kind,
    exposure,
    shown,
    requests: Object.fromEntries(requests) as RequestFields<T, B>,
    ...(meaning && { meaning }),
  };
}

/** A text that may be left out, and is null then. */
export function text<const X extends ProfileExposure, const W extends Shown, const B extends TakenBy>(
  check: Check,
  { example, ...said }: Saying<X, W, B> & { readonly example: string },
): ProfileField<TString, null, false, X, W, RequestFields<string, B>> {
  return row({ value: f.text, unset: null, always: false, example }, check, said);
}

/** A text that there always is; null once it was erased. */
export function standing<const W extends Shown, const B extends TakenBy>(
  check: Check,
  { example, ...said }: Omit<Saying<'personal', W, B>, 'exposure'> & { readonly example: string },
): ProfileField<TString, null, true, 'personal', W, RequestFields<string, B>> {
  return row({ value: f.text, unset: null, always: true, example }, check, { ...said, exposure: 'personal' });
}

/** A flag, which is off where nothing was said. */
export function flag<const W extends Shown, const B extends TakenBy>(
  said: Omit<Saying<'clear', W, B>, 'exposure'>,
): ProfileField<TBoolean, false, false, 'clear', W, RequestFields<boolean, B>> {
  return row({ value: f.flag, unset: false, always: false, example: true }, c.flag, { ...said, exposure: 'clear' });
}

/** A list, which is empty where nothing was said. */
export function list<
  S extends TSchema,
  const X extends ProfileExposure,
  const W extends Shown,
  const B extends TakenBy,
>(
  item: S,
  check: Check<Static<S>[]>,
  { example, ...said }: Saying<X, W, B> & { readonly example: readonly Static<S>[] },
): ProfileField<TArray<S>, never[], false, X, W, RequestFields<Static<S>[], B>> {
  return row({ value: Type.Array(item), unset: [], always: false, example }, check, said);
}
