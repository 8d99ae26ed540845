import { isDeepStrictEqual } from 'node:util';
import { type Static, type TNull, type TOptional, type TSchema, type TUnion } from 'typebox';
import type { Json } from '#libs/kernel/json.js';
import type { Unchanging } from '#libs/kernel/unchanging.js';
import type { Field } from './define.js';
import * as f from './fields.js';
import type { ProfileField, ProfileVerb, Shown } from './profile-field.js';
import { PROFILE_FIELDS } from './profile-fields.js';

/** What follows from the table of profile fields. */
type Table = typeof PROFILE_FIELDS;
export type ProfileName = keyof Table;

const ROWS = Object.entries(PROFILE_FIELDS) as unknown as readonly (readonly [ProfileName, ProfileField])[];

/** An object with a member for each row of which something is made. */
function eachRow(make: (row: ProfileField, name: ProfileName) => unknown): { readonly [name: string]: unknown } {
  const members = ROWS.map(([name, row]) => [name, make(row, name)] as const);
  return Object.fromEntries(members.filter(([, made]) => made !== undefined));
}

type MayBeNull<R extends ProfileField> = R['unset'] extends null ? TUnion<[R['value'], TNull]> : R['value'];
type Said<R extends ProfileField> = R['always'] extends true ? R['value'] : MayBeNull<R>;
type SaidFields = { readonly [K in ProfileName]: Field<TOptional<Said<Table[K]>>, Table[K]['exposure']> };

const mayBeNull = ({ value, unset }: ProfileField): TSchema => (unset === null ? f.orNull(value) : value);
const said = (row: ProfileField): TSchema => (row.always ? row.value : mayBeNull(row));

/** The fields of an event that changes a profile: what it leaves out keeps its value, null clears a text. */
export const UPDATE_FIELDS = eachRow(row => ({
  schema: f.optional(said(row)),
  exposure: row.exposure,
})) as SaidFields;

type FirstFields = {
  readonly [K in ProfileName]: Table[K]['always'] extends true
    ? Field<Said<Table[K]>, Table[K]['exposure']>
    : SaidFields[K];
};

/** The fields of the event that a profile begins with. */
export const FIRST_FIELDS = eachRow((row, name) =>
  row.always ? { schema: said(row), exposure: row.exposure } : UPDATE_FIELDS[name],
) as FirstFields;

type Requests<V extends ProfileVerb> = {
  readonly [K in ProfileName as V extends keyof Table[K]['requests'] ? K : never]: Table[K]['requests'][V &
    keyof Table[K]['requests']];
};

/** The fields that a verb takes. */
export function profileRequest<const V extends ProfileVerb>(verb: V): Requests<V> {
  return eachRow(row => row.requests[verb]) as Requests<V>;
}

/** What stands in a profile; null, off or empty where nothing was said, or where it was erased. */
export type Profile = { readonly [K in ProfileName]: Unchanging<Static<Table[K]['value']> | Table[K]['unset']> };

export const EMPTY_PROFILE = eachRow(({ unset }) => unset) as Profile;

type ShownNames<W extends Shown> = { [K in ProfileName]: Table[K]['shown'] extends W ? K : never }[ProfileName];
export type ShownProfile<W extends Shown> = Pick<Profile, ShownNames<W>>;
const namesOf = (where: Shown) => ROWS.flatMap(([name, { shown }]) => (shown === where ? [name] : []));
const NAMES: { readonly [W in Shown]: readonly ProfileName[] } = {
  summary: namesOf('summary'),
  profile: namesOf('profile'),
  owner: namesOf('owner'),
};

/** What of a profile is shown there. */
export function shownOf<const W extends Shown>(profile: ShownProfile<W>, ...where: readonly W[]): ShownProfile<W> {
  const all = profile as Profile;
  const shown: { [name: string]: unknown } = {};
  for (const place of where) for (const name of NAMES[place]) shown[name] = all[name];
  return shown as ShownProfile<W>;
}

/** Makes something of each row that is shown there. */
export function eachShown<const W extends Shown, M extends { readonly [K in ShownNames<W>]: unknown }>(
  where: readonly W[],
  member: (row: ProfileField) => unknown,
): M {
  return eachRow(row => ((where as readonly Shown[]).includes(row.shown) ? member(row) : undefined)) as M;
}

export type ShownSchemas<W extends Shown> = { [K in ShownNames<W>]: MayBeNull<Table[K]> };
/** The schemas of what is shown there, as documents hold it. */
export const shownSchemas = <const W extends Shown>(...where: readonly W[]): ShownSchemas<W> =>
  eachShown<W, ShownSchemas<W>>(where, mayBeNull);

type Update = { readonly [K in ProfileName]?: unknown };

/** Some or all of a profile after an event. */
export function changed<P extends Partial<Profile>>(before: P, data: Update): Pick<P, ProfileName & keyof P> {
  const after = ({ unset }: ProfileField, name: ProfileName) =>
    data[name] === undefined ? before[name] : (data[name] ?? unset);
  return eachRow((row, name) => (Object.hasOwn(before, name) ? after(row, name) : undefined)) as Pick<
    P,
    ProfileName & keyof P
  >;
}

type SaidIn<F> = {
  [K in keyof F as K extends ProfileName ? K : never]: null extends F[K]
    ? Exclude<F[K], null> | Table[K & ProfileName]['unset']
    : F[K];
};

/** What the fields of a request say of a profile, as an event holds it. */
export function saidIn<F extends Update>(fields: F): SaidIn<F> {
  return eachRow(({ unset }, name) => (fields[name] === null ? unset : fields[name])) as SaidIn<F>;
}

/** As `saidIn`, without what stands there already; what is listed in `cleared` did not stand there. */
export function changesIn<F extends Update>(
  profile: Profile,
  fields: F,
  cleared: readonly string[],
): Partial<SaidIn<F>> {
  const stands = (name: string, value: unknown) =>
    isDeepStrictEqual(profile[name as ProfileName], value) && !cleared.includes(name);
  const changes = Object.entries(saidIn(fields)).filter(([name, value]) => !stands(name, value));
  return Object.fromEntries(changes) as Partial<SaidIn<F>>;
}

/** Whether a value of an event has cleared what stood there. */
export const isCleared = (value: Json | undefined): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);
