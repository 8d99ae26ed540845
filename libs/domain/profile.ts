import { isDeepStrictEqual } from 'node:util';
import { type Static, type TNull, type TOptional, type TSchema, type TUnion } from 'typebox';
import type { Json } from '#libs/kernel/json.js';
import type { DeepReadonly } from '#libs/kernel/deep-readonly.js';
import type { EventField } from './define.js';
import * as f from './event-fields.js';
import type { ProfileField, ProfileCommand, ProfileVisibility } from './profile-field.js';
import { PROFILE_FIELDS } from './profile-fields.js';

type ProfileFieldTable = typeof PROFILE_FIELDS;
type ProfileName = keyof ProfileFieldTable;

const ROWS = Object.entries(PROFILE_FIELDS) as unknown as readonly (readonly [ProfileName, ProfileField])[];

function mapProfileFields(make: (row: ProfileField, name: ProfileName) => unknown): {
  readonly [name: string]: unknown;
} {
  const members = ROWS.map(([name, row]) => [name, make(row, name)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

type NullableValue<R extends ProfileField> = R['unset'] extends null ? TUnion<[R['value'], TNull]> : R['value'];
type FieldSchema<R extends ProfileField> = R['always'] extends true ? R['value'] : NullableValue<R>;
type UpdateFields = {
  readonly [K in ProfileName]: EventField<
    TOptional<FieldSchema<ProfileFieldTable[K]>>,
    ProfileFieldTable[K]['exposure']
  >;
};

const toNullableSchema = ({ value, unset }: ProfileField): TSchema => (unset === null ? f.orNull(value) : value);
const toFieldSchema = (row: ProfileField): TSchema => (row.always ? row.value : toNullableSchema(row));

/** Omitted fields keep their value; null clears a text. */
export const UPDATE_FIELDS = mapProfileFields(row => ({
  schema: f.optional(toFieldSchema(row)),
  exposure: row.exposure,
  meaning: row.recorded ?? row.meaning,
})) as UpdateFields;

type FirstFields = {
  readonly [K in ProfileName]: ProfileFieldTable[K]['always'] extends true
    ? EventField<FieldSchema<ProfileFieldTable[K]>, ProfileFieldTable[K]['exposure']>
    : UpdateFields[K];
};

export const FIRST_FIELDS = mapProfileFields((row, name) =>
  row.always ? { ...UPDATE_FIELDS[name], schema: toFieldSchema(row) } : UPDATE_FIELDS[name],
) as FirstFields;

type ProfileRequest<V extends ProfileCommand> = {
  readonly [
    K in ProfileName as V extends keyof ProfileFieldTable[K]['requests'] ? K : never
  ]: ProfileFieldTable[K]['requests'][V & keyof ProfileFieldTable[K]['requests']];
};

export function profileRequest<const V extends ProfileCommand>(command: V): ProfileRequest<V> {
  return mapProfileFields(row => row.requests[command]) as ProfileRequest<V>;
}

export type Profile = {
  readonly [K in ProfileName]: DeepReadonly<Static<ProfileFieldTable[K]['value']> | ProfileFieldTable[K]['unset']>;
};

/** A profile in the state of its muse. A list is null once erased, so that no decision takes it for an empty one. */
export type RecordedProfile = {
  readonly [K in ProfileName]: Profile[K] extends readonly unknown[] ? Profile[K] | null : Profile[K];
};

export const EMPTY_PROFILE = mapProfileFields(({ unset }) => unset) as Profile;

type VisibleNames<W extends ProfileVisibility> = {
  [K in ProfileName]: ProfileFieldTable[K]['shown'] extends W ? K : never;
}[ProfileName];
export type VisibleProfile<W extends ProfileVisibility> = Pick<Profile, VisibleNames<W>>;
const listFieldNames = (where: ProfileVisibility) =>
  ROWS.flatMap(([name, { shown }]) => (shown === where ? [name] : []));
const NAMES: { readonly [W in ProfileVisibility]: readonly ProfileName[] } = {
  summary: listFieldNames('summary'),
  profile: listFieldNames('profile'),
  owner: listFieldNames('owner'),
};

export function pickVisible<const W extends ProfileVisibility>(
  profile: VisibleProfile<W>,
  ...where: readonly W[]
): VisibleProfile<W> {
  const all = profile as Profile;
  const shown: { [name: string]: unknown } = {};
  for (const place of where) for (const name of NAMES[place]) shown[name] = all[name];
  return shown as VisibleProfile<W>;
}

export function mapVisibleFields<
  const W extends ProfileVisibility,
  M extends { readonly [K in VisibleNames<W>]: unknown },
>(where: readonly W[], member: (row: ProfileField) => unknown): M {
  return mapProfileFields(row =>
    (where as readonly ProfileVisibility[]).includes(row.shown) ? member(row) : undefined,
  ) as M;
}

type VisibleSchemas<W extends ProfileVisibility> = {
  [K in VisibleNames<W>]: NullableValue<ProfileFieldTable[K]>;
};
export const pickVisibleSchemas = <const W extends ProfileVisibility>(...where: readonly W[]): VisibleSchemas<W> =>
  mapVisibleFields<W, VisibleSchemas<W>>(where, toNullableSchema);

type Update = { readonly [K in ProfileName]?: unknown };

export function applyProfileUpdate<P extends Partial<Profile>>(
  before: P,
  data: Update,
): Pick<P, ProfileName & keyof P> {
  const after = ({ unset }: ProfileField, name: ProfileName) =>
    data[name] === undefined ? before[name] : (data[name] ?? unset);
  return mapProfileFields((row, name) => (Object.hasOwn(before, name) ? after(row, name) : undefined)) as Pick<
    P,
    ProfileName & keyof P
  >;
}

export function recordProfileUpdate(before: RecordedProfile, data: Update): RecordedProfile {
  const after = (name: ProfileName) => (data[name] === undefined ? before[name] : data[name]);
  return mapProfileFields((_row, name) => after(name)) as RecordedProfile;
}

type ProfileUpdateData<F> = {
  [K in keyof F as K extends ProfileName ? K : never]: null extends F[K]
    ? Exclude<F[K], null> | ProfileFieldTable[K & ProfileName]['unset']
    : F[K];
};

export function toProfileUpdate<F extends Update>(fields: F): ProfileUpdateData<F> {
  return mapProfileFields(({ unset }, name) => (fields[name] === null ? unset : fields[name])) as ProfileUpdateData<F>;
}

/** Leaves out unchanged fields, except those in `cleared`. */
export function findProfileChanges<F extends Update>(
  profile: RecordedProfile,
  fields: F,
  cleared: readonly string[],
): Partial<ProfileUpdateData<F>> {
  const isUnchanged = (name: ProfileName, value: unknown) =>
    isDeepStrictEqual(profile[name] ?? PROFILE_FIELDS[name].unset, value) && !cleared.includes(name);
  const changes = Object.entries(toProfileUpdate(fields)).filter(
    ([name, value]) => !isUnchanged(name as ProfileName, value),
  );
  return Object.fromEntries(changes) as Partial<ProfileUpdateData<F>>;
}

export const isClearedValue = (value: Json | undefined): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);
