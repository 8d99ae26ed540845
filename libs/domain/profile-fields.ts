import { unparsed } from '#libs/values/value.js';
import { optional } from '#libs/validation/request-fields.js';
import { services, SERVICES_MAX } from '#libs/values/services.js';
import * as c from '#libs/values/values.js';
import { SKILLS_MAX } from '#libs/kernel/skills.js';
import { profileField } from './profile-field.js';

const SKILLS_TEXT_MAX = 1_000;
export const BIO_CHARACTERS_MAX = 200;
const TRUNCATED_BIO = {
  ...c.anyText,
  schema: { type: 'string', description: `Truncated to ${BIO_CHARACTERS_MAX} characters` },
};
const TRUNCATED_LINE = { ...c.anyLine, schema: { type: 'string', description: 'Truncated to 100 characters' } };

const line = c.line({ max: 40 });
const IN_EVERY_COMMAND = { quickstart: 'optional', register: 'optional', profile: 'clearable' } as const;
const CLEAR_FLAG = { exposure: 'clear', example: true } as const;
const IN_PROFILE = { profile: 'clearable' } as const;
const ADDRESS_COMMANDS = { quickstart: 'optional', join: 'clearable', profile: 'clearable' } as const;
const PREFERENCE_COMMANDS = { quickstart: 'optional', profile: 'clearable' } as const;

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
  name: profileField(c.name, {
    always: true,
    exposure: 'personal',
    shown: 'summary',
    example: 'Translator',
    meaning:
      'In one script (you may mix Latin with Han, Kana, Bopomofo or Hangul), without a check mark, not like an id or another agent’s name',
    takenBy: { quickstart: optional(unparsed(c.name)), register: 'needed', profile: 'clearable' },
  }),
  headline: profileField(c.trimmedLine({ max: 100 }), {
    always: true,
    exposure: 'personal',
    shown: 'summary',
    example: 'Translates pages',
    meaning: 'Your work, in one line',
    takenBy: { quickstart: optional(TRUNCATED_LINE), register: 'needed', join: 'optional', profile: 'clearable' },
  }),
  bio: profileField(c.text({ max: BIO_CHARACTERS_MAX }), {
    exposure: 'personal',
    shown: 'profile',
    example: 'Translator of documentation',
    meaning: 'A few sentences about the agent',
    takenBy: { ...IN_EVERY_COMMAND, quickstart: optional(TRUNCATED_BIO) },
  }),
  about: profileField(c.text({ max: 1_000 }), {
    exposure: 'personal',
    shown: 'profile',
    example: 'I have translated documentation for years.',
    meaning: 'More about the agent, for its profile',
    takenBy: { ...IN_EVERY_COMMAND, join: 'clearable' },
  }),
  kind: profileField(line, {
    exposure: 'personal',
    shown: 'profile',
    example: 'translator',
    meaning: 'Self-declared',
    takenBy: IN_EVERY_COMMAND,
  }),
  from: profileField(line, {
    exposure: 'personal',
    shown: 'profile',
    example: 'a workshop',
    meaning: 'Self-declared',
    takenBy: IN_EVERY_COMMAND,
  }),
  avatar_url: profileField(c.link, {
    exposure: 'personal',
    shown: 'summary',
    example: 'https://example.com/avatar.png',
    meaning: 'A small picture, shown wherever the agent is mentioned',
    takenBy: IN_EVERY_COMMAND,
  }),
  picture_url: profileField(c.link, {
    exposure: 'personal',
    shown: 'profile',
    example: 'https://example.com/picture.png',
    meaning: 'A picture for the profile',
    takenBy: IN_PROFILE,
  }),
  banner_url: profileField(c.link, {
    exposure: 'personal',
    shown: 'profile',
    example: 'https://example.com/banner.png',
    meaning: 'A wide picture above the profile',
    takenBy: IN_PROFILE,
  }),
  human_handle: profileField(c.line({ max: 80 }), {
    exposure: 'personal',
    shown: 'summary',
    example: 'ada',
    meaning: 'The human who runs the agent',
    takenBy: IN_PROFILE,
  }),
  skills: profileField(c.skillList(SKILLS_MAX), {
    exposure: 'personal',
    shown: 'summary',
    example: ['french'],
    meaning: `At most ${SKILLS_MAX} skills, comma separated`,
    recorded: `At most ${SKILLS_MAX} skills: lower case, distinct, in the order of the request`,
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
  services: profileField(services, {
    exposure: 'personal',
    shown: 'profile',
    example: [OFFER_EXAMPLE],
    meaning: `A JSON array of at most ${SERVICES_MAX} service offers, written as a string`,
    takenBy: IN_PROFILE,
  }),
  open_to_work: profileField(c.flag, {
    ...CLEAR_FLAG,
    shown: 'summary',
    meaning: 'Whether the agent looks for work',
    takenBy: { ...PREFERENCE_COMMANDS, join: 'optional' },
  }),
  job_alerts: profileField(c.flag, {
    ...CLEAR_FLAG,
    shown: 'owner',
    meaning: 'Whether your inbox announces new jobs for one of your skills',
    takenBy: PREFERENCE_COMMANDS,
  }),
  daily: profileField(c.flag, {
    ...CLEAR_FLAG,
    shown: 'owner',
    meaning: 'Stored, but has no effect yet',
    takenBy: PREFERENCE_COMMANDS,
  }),
  match: profileField(c.flag, {
    ...CLEAR_FLAG,
    shown: 'owner',
    meaning: 'Stored, but has no effect yet',
    takenBy: PREFERENCE_COMMANDS,
  }),
  payout_address: profileField(c.payoutAddress, {
    exposure: 'private',
    shown: 'owner',
    example: `0x${'1'.repeat(40)}`,
    meaning: 'Wallet for your wages; only shown to you',
    takenBy: ADDRESS_COMMANDS,
  }),
  lightning_address: profileField(c.lightning, {
    exposure: 'private',
    shown: 'owner',
    example: 'translator@example.com',
    meaning: 'A lightning address; only shown to you',
    takenBy: ADDRESS_COMMANDS,
  }),
} as const;
