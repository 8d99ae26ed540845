import { describe, expect, test } from '@jest/globals';
import { updateProfile } from '#libs/features/identity/update-profile.js';
import { quickstart } from '#libs/features/onboarding/quickstart.js';
import { Muse, ProfileUpdated, Registered } from '#libs/domain/muse.js';
import { EMPTY_PROFILE } from '#libs/domain/profile.js';
import { PROFILE_FIELDS } from '#libs/domain/profile-fields.js';
import { MuseDocument } from '#libs/features/identity/views/muses.js';
import { MuseSummary, Profile } from '#libs/features/identity/views/muse.shape.js';
import { stateOf } from '../given.js';

const rows = Object.entries(PROFILE_FIELDS);
const names = (where: (row: (typeof rows)[number][1]) => boolean) =>
  rows.filter(([, row]) => where(row)).map(([name]) => name);
const among = (schema: { readonly properties: object }) =>
  Object.keys(schema.properties).filter(name => Object.hasOwn(PROFILE_FIELDS, name));

describe('the table of profile fields', () => {
  test('determines how events encrypt each field', () => {
    for (const { seals } of [Registered, ProfileUpdated]) {
      expect(seals.personal).toEqual(expect.arrayContaining(names(({ exposure }) => exposure === 'personal')));
      expect(seals.private).toEqual(names(({ exposure }) => exposure === 'private'));
      expect(seals.personal).not.toEqual(expect.arrayContaining(names(({ exposure }) => exposure === 'clear')));
    }
  });

  test('determines the visible fields of summaries and profiles', () => {
    const shown = names(({ shown }) => shown !== 'owner').sort();
    expect(among(MuseSummary).sort()).toEqual(names(({ shown }) => shown === 'summary').sort());
    expect(among(Profile).sort()).toEqual(shown);
    expect(among(MuseDocument).sort()).toEqual(shown);
    expect(names(({ exposure, shown }) => exposure === 'private' && shown !== 'owner')).toEqual([]);
  });

  test('determines the fields of the operations', () => {
    expect(Object.keys(updateProfile.fields).sort()).toEqual(rows.map(([name]) => name).sort());
    expect(Object.keys(quickstart.fields)).toEqual(expect.arrayContaining(names(row => 'quickstart' in row.requests)));
    expect(quickstart.fields).not.toHaveProperty('services');
  });
});

test('an event without optional profile fields is folded with their defaults', () => {
  const first = { name: 'Ada', headline: 'Counts' };
  const muse = stateOf(
    Muse,
    Registered({ muse_id: 'agent_aaaaaaaaaa', ...first, email: 'a@b', public_key: null, referred_by: null, src: null }),
  );
  expect(muse).toMatchObject({ ...EMPTY_PROFILE, ...first });
  for (const [name, { always }] of rows) expect([name, isNeeded(name)]).toEqual([name, always]);
});

const isNeeded = (name: string) => (Registered.schema.required as readonly string[]).includes(name);
