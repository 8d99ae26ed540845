import { Forgotten, ProfileUpdated, Registered, VerificationEnded, Verified } from '#libs/domain/muse.js';
import { HOUSE_ID } from '#libs/kernel/house.js';
import { beginningsOf, foundBy } from '#libs/kernel/text-words.js';
import * as d from '#libs/views/document.js';
import { byMuse, LISTING, listingSteps, notYetListed } from './listing.js';
import { change, on, projection } from '#libs/views/projection.js';

export const MuseWordsDocument = d.object({
  muse_id: d.museId,
  ...LISTING,
  /** By field of the profile. */
  said: d.mapOf(d.list(d.text)),
  /** Its id, and what the words of its name begin with. */
  names: d.list(d.text),
  /** All of it, with what it can be filtered by. */
  words: d.list(d.text),
});
export type MuseWordsDocument = d.DocumentOf<typeof MuseWordsDocument>;

/** Words that no text holds, for what people are filtered by. */
export const OPEN = 'is:open';
export const VERIFIED = 'is:verified';
const SKILL = 'skill:';
export const skillWord = (skill: string) => SKILL + skill;
/** The skill that such a word is for; undefined for any other. */
export const skillIn = (word: string) => (word.startsWith(SKILL) ? word.slice(SKILL.length) : undefined);

type Said = MuseWordsDocument['said'];

/** The fields of a profile that are looked through. */
const FIELDS: { readonly [field: string]: (value: never) => readonly string[] } = {
  name: (name: string) => foundBy(name).flatMap(beginningsOf),
  headline: foundBy,
  bio: foundBy,
  about: foundBy,
  kind: foundBy,
  from: foundBy,
  human_handle: foundBy,
  skills: (skills: readonly string[]) => [...skills.map(skillWord), ...foundBy(skills.join(' '))],
  services: (offers: readonly { readonly title: string }[]) => foundBy(offers.map(({ title }) => title).join(' ')),
  open_to_work: (isOpen: boolean) => (isOpen ? [OPEN] : []),
};

function saidIn(data: object): Said {
  const fields = Object.entries(data).filter(([name, value]) => Object.hasOwn(FIELDS, name) && value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, value === null ? [] : FIELDS[name]!(value as never)]));
}

function having(document: MuseWordsDocument, more: Said): MuseWordsDocument {
  if (Object.keys(more).length === 0) return document;
  const said = { ...document.said, ...more };
  const names = [document.muse_id, ...(said['name'] ?? [])];
  return { ...document, said, names, words: [...new Set([...names, ...Object.values(said).flat()])] };
}

/** The words that a muse is found by. */
export const MuseWords = projection<typeof MuseWordsDocument>({
  name: 'muse_words',
  version: 1,
  shape: '8e5cfdab',
  document: MuseWordsDocument,
  indexes: { byWord: ['listed', 'words[]', 'since'], byName: ['listed', 'names[]', 'since'] },
  steps: [
    on(
      Registered,
      ({ data }) => (data.muse_id === HOUSE_ID ? [] : [data.muse_id]),
      (_document, { data, position }) => {
        const { muse_id } = data;
        const empty = { muse_id, ...notYetListed(position), said: {}, names: [], words: [] };
        return having(empty, saidIn(data));
      },
    ),
    ...listingSteps<MuseWordsDocument>(),
    change(ProfileUpdated, byMuse, (document, { data }) => having(document, saidIn(data))),
    change(Verified, byMuse, document => having(document, { verified: [VERIFIED] })),
    change(VerificationEnded, byMuse, document => having(document, { verified: [] })),
    on<MuseWordsDocument, typeof Forgotten>(Forgotten, byMuse, () => null),
  ],
});
