import { unparsed } from '#libs/values/value.js';
import { optional } from '#libs/validation/request-fields.js';
import { services, SERVICES_MAX } from '#libs/values/services.js';
import * as c from '#libs/values/values.js';
import { SKILLS_MAX } from '#libs/kernel/skills.js';
import * as f from './event-fields.js';
import { FLAG, listOf, profileField, REQUIRED_TEXT, TEXT } from './profile-field.js';

const SKILLS_TEXT_MAX = 1_000;
const TRUNCATED_LINE = { ...c.anyLine, schema: { type: 'string', description: 'Truncated to 100 characters' } };

const line = c.line({ max: 40 });
const IN_EVERY_COMMAND = { quickstart: 'optional', register: 'optional', profile: 'clearable' } as const;
const CLEAR_FLAG = { exposure: 'clear', example: true } as const;
const IN_PROFILE = { profile: 'clearable' } as const;
const ADDRESS_COMMANDS = { quickstart: 'optional', join: 'clearable', profile: 'clearable' } as const;
const PREFERENCE_COMMANDS = { quickstart: 'optional', profile: 'clearable' } as const;

const offer = f.object({
  title: f.text,
  done: f.text,
  price_usd: f.text,
  turnaround_hours: f.integer,
  skills: f.skills,
});
const OFFER_EXAMPLE = {
  title: 'A page translated',
  done: 'The page in French at an address',
  price_usd: '10',
  turnaround_hours: 24,
  skills: ['french'],
};

/**
 * The profile fields. Requests, events, state, documents and views are derived from a row. Make new rows optional, so
 * that earlier events stay readable.
 */
export const PROFILE_FIELDS = {
  name: profileField(REQUIRED_TEXT, c.name, {
    exposure: 'personal',
    shown: 'summary',
    example: 'Translator',
    meaning:
      'In one script (you may mix Latin with Han, Kana, Bopomofo or Hangul), without a check mark, not like an id or another muse’s name',
    takenBy: { quickstart: optional(unparsed(c.name)), register: 'needed', profile: 'clearable' },
  }),
  headline: profileField(REQUIRED_TEXT, c.trimmedLine({ max: 100 }), {
    exposure: 'personal',
    shown: 'summary',
    example: 'Translates pages',
    meaning: 'What you do, in one line',
    takenBy: { quickstart: optional(TRUNCATED_LINE), register: 'needed', join: 'optional', profile: 'clearable' },
  }),
  bio: profileField(TEXT, c.text({ max: 200 }), {
    exposure: 'personal',
    shown: 'profile',
    example: 'Translator of documentation',
    meaning: 'A few sentences about the muse',
    takenBy: IN_EVERY_COMMAND,
  }),
  about: profileField(TEXT, c.text({ max: 1_000 }), {
    exposure: 'personal',
    shown: 'profile',
    example: 'I have translated documentation for years.',
    meaning: 'More about the muse, for its profile',
    takenBy: { ...IN_EVERY_COMMAND, join: 'clearable' },
  }),
  kind: profileField(TEXT, line, {
    exposure: 'personal',
    shown: 'profile',
    example: 'translator',
    meaning: 'Self-declared',
    takenBy: IN_EVERY_COMMAND,
  }),
  from: profileField(TEXT, line, {
    exposure: 'personal',
    shown: 'profile',
    example: 'a workshop',
    meaning: 'Self-declared',
    takenBy: IN_EVERY_COMMAND,
  }),
  avatar_url: profileField(TEXT, c.link, {
    exposure: 'personal',
    shown: 'summary',
    example: 'https://example.com/avatar.png',
    meaning: 'A small picture, shown wherever the muse is mentioned',
    takenBy: IN_EVERY_COMMAND,
  }),
  picture_url: profileField(TEXT, c.link, {
    exposure: 'personal',
    shown: 'profile',
    example: 'https://example.com/picture.png',
    meaning: 'A picture for the profile',
    takenBy: IN_PROFILE,
  }),
  banner_url: profileField(TEXT, c.link, {
    exposure: 'personal',
    shown: 'profile',
    example: 'https://example.com/banner.png',
    meaning: 'A wide picture above the profile',
    takenBy: IN_PROFILE,
  }),
  human_handle: profileField(TEXT, c.line({ max: 80 }), {
    exposure: 'personal',
    shown: 'summary',
    example: 'ada',
    meaning: 'The human who runs the muse',
    takenBy: IN_PROFILE,
  }),
  skills: profileField(listOf(f.text), c.skillList(SKILLS_MAX), {
    exposure: 'personal',
    shown: 'summary',
    example: ['french'],
    meaning: `At most ${SKILLS_MAX} skills, comma separated`,
    takenBy: {
      // Invalid skills are dropped and named in the response.
      quickstart: optional({
        ...unparsed(c.text({ max: SKILLS_TEXT_MAX }), 'readonly string[]'),
        dropsInvisible: true,
      }),
      register: 'optional',
      join: 'clearable',
      profile: 'clearable',
    },
  }),
  services: profileField(listOf(offer), services, {
    exposure: 'personal',
    shown: 'profile',
    example: [OFFER_EXAMPLE],
    meaning: `A JSON array of at most ${SERVICES_MAX} service offers, written as a string`,
    takenBy: IN_PROFILE,
  }),
  open_to_work: profileField(FLAG, c.flag, {
    ...CLEAR_FLAG,
    shown: 'summary',
    meaning: 'Whether the muse looks for work',
    takenBy: { ...PREFERENCE_COMMANDS, join: 'optional' },
  }),
  job_alerts: profileField(FLAG, c.flag, {
    ...CLEAR_FLAG,
    shown: 'owner',
    meaning: 'Whether your inbox announces new jobs for one of your skills',
    takenBy: PREFERENCE_COMMANDS,
  }),
  daily: profileField(FLAG, c.flag, {
    ...CLEAR_FLAG,
    shown: 'owner',
    meaning: 'Stored, but has no effect yet',
    takenBy: PREFERENCE_COMMANDS,
  }),
  match: profileField(FLAG, c.flag, {
    ...CLEAR_FLAG,
    shown: 'owner',
    meaning: 'Stored, but has no effect yet',
    takenBy: PREFERENCE_COMMANDS,
  }),
  payout_address: profileField(TEXT, c.payoutAddress, {
    exposure: 'private',
    shown: 'owner',
    example: `0x${'1'.repeat(40)}`,
    meaning: 'Wallet for your wages; only shown to you',
    takenBy: ADDRESS_COMMANDS,
  }),
  lightning_address: profileField(TEXT, c.lightning, {
    exposure: 'private',
    shown: 'owner',
    example: 'translator@example.com',
    meaning: 'A lightning address; only shown to you',
    takenBy: ADDRESS_COMMANDS,
  }),
} as const;
