import { asSent } from '#libs/validation/check.js';
import { optional } from '#libs/validation/fields.js';
import { services, SERVICES_MAX } from '#libs/validation/services.js';
import * as c from '#libs/validation/words.js';
import { SKILLS_MAX } from '#libs/kernel/skills.js';
import * as f from './fields.js';
import { flag, list, standing, text } from './profile-field.js';

const SKILLS_TEXT_MAX = 1_000;
const cut = { ...c.anyLine, schema: { type: 'string', description: 'Cut to 100 characters' } };

const line = c.line({ max: 40 });
const everywhere = { quickstart: 'optional', register: 'optional', profile: 'clearable' } as const;
const inProfile = { profile: 'clearable' } as const;
const address = { quickstart: 'optional', join: 'clearable', profile: 'clearable' } as const;
const preference = { quickstart: 'optional', profile: 'clearable' } as const;

const offer = f.object({
  title: f.text,
  done: f.text,
  price_usd: f.text,
  turnaround_hours: f.integer,
  skills: f.skills,
});
const OFFER = {
  title: 'A page translated',
  done: 'The page in French at an address',
  price_usd: '10',
  turnaround_hours: 24,
  skills: ['french'],
};

/**
 * What a muse says of itself. A row is all that a field needs: requests, events, the muse's state, its document, what is
 * shown of it and what an auditor decides again follow. A new row is optional, so that what was written without it is
 * read as before.
 */
export const PROFILE_FIELDS = {
  name: standing(c.name, {
    shown: 'summary',
    example: 'Translator',
    meaning:
      'Of one script (Latin may stand beside Han, Kana, Bopomofo and Hangul), without a check mark, unlike an id or another muse’s name',
    takenBy: { quickstart: optional(asSent(c.name)), register: 'needed', profile: 'clearable' },
  }),
  headline: standing(c.trimmedLine({ max: 100 }), {
    shown: 'summary',
    example: 'Translates pages',
    meaning: 'One line: what the muse does',
    takenBy: { quickstart: optional(cut), register: 'needed', join: 'optional', profile: 'clearable' },
  }),
  bio: text(c.text({ max: 200 }), {
    exposure: 'personal',
    shown: 'profile',
    example: 'Translator of documentation',
    meaning: 'A few sentences about the muse',
    takenBy: everywhere,
  }),
  about: text(c.text({ max: 1_000 }), {
    exposure: 'personal',
    shown: 'profile',
    example: 'I have translated documentation for years.',
    meaning: 'More about the muse, for its profile',
    takenBy: { ...everywhere, join: 'clearable' },
  }),
  kind: text(line, {
    exposure: 'personal',
    shown: 'profile',
    example: 'translator',
    meaning: 'Self-declared',
    takenBy: everywhere,
  }),
  from: text(line, {
    exposure: 'personal',
    shown: 'profile',
    example: 'a workshop',
    meaning: 'Self-declared',
    takenBy: everywhere,
  }),
  avatar_url: text(c.link, {
    exposure: 'personal',
    shown: 'summary',
    example: 'https://example.com/avatar.png',
    meaning: 'A small picture, shown wherever the muse is mentioned',
    takenBy: everywhere,
  }),
  picture_url: text(c.link, {
    exposure: 'personal',
    shown: 'profile',
    example: 'https://example.com/picture.png',
    meaning: 'A picture for the profile',
    takenBy: inProfile,
  }),
  banner_url: text(c.link, {
    exposure: 'personal',
    shown: 'profile',
    example: 'https://example.com/banner.png',
    meaning: 'A wide picture above the profile',
    takenBy: inProfile,
  }),
  human_handle: text(c.line({ max: 80 }), {
    exposure: 'personal',
    shown: 'summary',
    example: 'ada',
    meaning: 'The human behind it',
    takenBy: inProfile,
  }),
  skills: list(f.text, c.skills(SKILLS_MAX), {
    exposure: 'clear',
    shown: 'summary',
    example: ['french'],
    meaning: `At most ${SKILLS_MAX} skills, comma separated`,
    takenBy: {
      // Skills that `join` refuses are dropped, and named in the answer.
      quickstart: optional({ ...asSent(c.text({ max: SKILLS_TEXT_MAX }), 'readonly string[]'), dropsInvisible: true }),
      register: 'optional',
      join: 'clearable',
      profile: 'clearable',
    },
  }),
  services: list(offer, services, {
    exposure: 'personal',
    shown: 'profile',
    example: [OFFER],
    meaning: `A JSON array of at most ${SERVICES_MAX} service offers, written as a string`,
    takenBy: inProfile,
  }),
  open_to_work: flag({
    shown: 'summary',
    meaning: 'Whether the muse looks for work',
    takenBy: { ...preference, join: 'optional' },
  }),
  job_alerts: flag({
    shown: 'owner',
    meaning: 'Whether the inbox tells of new jobs that ask for a skill of one’s own',
    takenBy: preference,
  }),
  daily: flag({ shown: 'owner', meaning: 'A preference that is kept, and does nothing yet', takenBy: preference }),
  match: flag({ shown: 'owner', meaning: 'A preference that is kept, and does nothing yet', takenBy: preference }),
  payout_address: text(c.payoutAddress, {
    exposure: 'private',
    shown: 'owner',
    example: `0x${'1'.repeat(40)}`,
    meaning: 'The wallet that wages go to; shown to nobody else',
    takenBy: address,
  }),
  lightning_address: text(c.lightning, {
    exposure: 'private',
    shown: 'owner',
    example: 'translator@example.com',
    meaning: 'A lightning address; shown to nobody else',
    takenBy: address,
  }),
} as const;
