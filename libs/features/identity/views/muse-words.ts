import { Forgotten, ProfileUpdated, Registered, VerificationEnded, Verified } from '#libs/domain/muse.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { extractIndexTerms, extractNameTerms } from '#libs/kernel/search-terms.js';
import * as d from '#libs/views/document-schema.js';
import { LISTING, listingSteps, notYetListed } from './listing.js';
import { by, onExisting, on, defineProjection, removeOn } from '#libs/views/projection.js';

const MuseWordsDocument = d.object({
  muse_id: d.museId,
  ...LISTING,
  /** Words by profile field. */
  wordsByField: d.mapOf(d.list(d.text)),
  /** The id and the whole words of the name. */
  names: d.list(d.text),
  /** All words and filter terms. */
  words: d.list(d.text),
});
export type MuseWordsDocument = d.DocumentOf<typeof MuseWordsDocument>;

/** Filter terms. No text can contain them. */
export const OPEN = 'is:open';
export const VERIFIED = 'is:verified';
const SKILL = 'skill:';
export const skillWord = (skill: string) => SKILL + skill;
/** Undefined if the word is not a skill term. */
export const skillIn = (word: string) => (word.startsWith(SKILL) ? word.slice(SKILL.length) : undefined);

type WordsByField = MuseWordsDocument['wordsByField'];

/** Searchable profile fields. */
const FIELDS: { readonly [field: string]: (value: never) => readonly string[] } = {
  name: extractNameTerms,
  headline: extractIndexTerms,
  bio: extractIndexTerms,
  about: extractIndexTerms,
  kind: extractIndexTerms,
  from: extractIndexTerms,
  human_handle: extractNameTerms,
  skills: (skills: readonly string[]) => [...skills.map(skillWord), ...extractIndexTerms(skills.join(' '))],
  services: (offers: readonly { readonly title: string }[]) =>
    extractIndexTerms(offers.map(({ title }) => title).join(' ')),
  open_to_work: (isOpen: boolean) => (isOpen ? [OPEN] : []),
};

function wordsByFieldIn(data: object): WordsByField {
  const fields = Object.entries(data).filter(([name, value]) => Object.hasOwn(FIELDS, name) && value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, value === null ? [] : FIELDS[name]!(value as never)]));
}

function withWords(document: MuseWordsDocument, changes: WordsByField): MuseWordsDocument {
  if (Object.keys(changes).length === 0) return document;
  const wordsByField = { ...document.wordsByField, ...changes };
  const names = [document.muse_id, ...(wordsByField['name'] ?? [])];
  return { ...document, wordsByField, names, words: [...new Set([...names, ...Object.values(wordsByField).flat()])] };
}

export const MuseWords = defineProjection('muse_words', MuseWordsDocument, {
  shape: '5b7efcd7',
  indexes: { byWord: ['listed?', 'words[]', 'since'], byName: ['listed?', 'names[]', 'since'] },
  steps: [
    on(
      Registered,
      ({ data }) => (data.muse_id === SYSTEM_ACCOUNT_ID ? [] : [data.muse_id]),
      (_document, { data, position }) => {
        const { muse_id } = data;
        const empty = { muse_id, ...notYetListed(position), wordsByField: {}, names: [], words: [] };
        return withWords(empty, wordsByFieldIn(data));
      },
    ),
    ...listingSteps<MuseWordsDocument>(),
    onExisting(ProfileUpdated, by('muse_id'), (document, { data }) => withWords(document, wordsByFieldIn(data))),
    onExisting(Verified, by('muse_id'), document => withWords(document, { verified: [VERIFIED] })),
    onExisting(VerificationEnded, by('muse_id'), document => withWords(document, { verified: [] })),
    removeOn(Forgotten, by('muse_id')),
  ],
});
