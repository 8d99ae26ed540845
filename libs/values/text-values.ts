import { Type } from 'typebox';
import { isValidName, NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN, normaliseName } from '#libs/kernel/name-rules.js';
import { foldSkill, isSkill, parseSkills, SKILL_CHARACTERS_MAX, SKILL_CHARACTERS_MIN } from '#libs/kernel/skills.js';
import { LINK_CHARACTERS_MAX, parseLink } from '#libs/kernel/url.js';
import { constraint, isAtLeast, isAtMost, isLines, isOneLine, type LengthBounds } from './constraint.js';
import { mappedText, parsedValue, textValue, type Value } from './value.js';

const trim = (text: string) => text.trim();

const bounded = ({ min = 1, max }: LengthBounds) => ({ type: 'string', minLength: min, maxLength: max });

/** Text with line breaks, kept unchanged. */
export const text = ({ min = 1, max }: LengthBounds): Value =>
  textValue({
    schema: bounded({ min, max }),
    rules: [isLines, isAtMost(max), isAtLeast(min)],
    mustBe: `text of ${min} to ${max} characters`,
  });

/** Multi-line text with a visible character, kept unchanged. */
export const nonBlankText = ({ min = 1, max }: LengthBounds): Value => {
  const rules = [isLines, isAtMost(max), isAtLeast(min, trim)];
  const { mustBe, ...rest } = text({ min, max });
  return { ...rest, rules, mustBe: `${mustBe} that are not all spaces` };
};

/** Multi-line text, stored without outer white space. */
export const trimmedText = ({ min = 1, max }: LengthBounds): Value =>
  mappedText({ ...text({ min, max }), rules: [isLines, isAtMost(max), isAtLeast(min, trim)] }, trim);

/** One line with a visible character, kept unchanged. */
export const line = ({ min = 1, max }: LengthBounds): Value =>
  textValue({
    schema: bounded({ min, max }),
    rules: [isOneLine, isAtMost(max), isAtLeast(min, trim)],
    mustBe: `one line of ${min} to ${max} characters`,
  });

export const anyLine = textValue({ schema: { type: 'string' }, rules: [isOneLine], mustBe: 'one line' });

/** Text of any length with line breaks. The command cuts it. */
export const anyText = textValue({ schema: { type: 'string' }, rules: [isLines], mustBe: 'text' });

export const trimmedLine = (length: LengthBounds): Value => mappedText(line(length), trim);

export const name = mappedText(
  textValue({
    schema: bounded({ min: NAME_CHARACTERS_MIN, max: NAME_CHARACTERS_MAX }),
    rules: [
      isOneLine,
      isAtMost(NAME_CHARACTERS_MAX, normaliseName),
      isAtLeast(NAME_CHARACTERS_MIN, normaliseName),
      constraint('isName', 'not_allowed', text => isValidName(normaliseName(text))),
    ],
    mustBe:
      `one line of ${NAME_CHARACTERS_MIN} to ${NAME_CHARACTERS_MAX} visible characters with a letter, digit or ` +
      'emoji, in one script (Latin with Han and Kana, Bopomofo or Hangul counts as one), without a check mark, and not ' +
      'in the form of an id',
  }),
  normaliseName,
);

const faultOf = (text: string) => {
  const link = parseLink(text);
  return 'href' in link ? null : link.fault;
};

const linkRules = [
  constraint('isAtMost', 'too_long', text => faultOf(text) !== 'too_long'),
  constraint('isAddress', 'malformed', text => faultOf(text) !== 'malformed'),
  constraint('hasNoCredentials', 'not_allowed', text => faultOf(text) !== 'credentials'),
];

/** Returns a value unchanged if only earlier rules accepted it. */
const normaliseLink = (text: string) => {
  const link = parseLink(text);
  return 'href' in link ? link.href : text;
};

const isHttps = constraint('isHttps', 'not_allowed', text => normaliseLink(text).startsWith('https:'));

export const link = mappedText(
  textValue({
    schema: { type: 'string', format: 'uri', pattern: '^https://', maxLength: LINK_CHARACTERS_MAX },
    rules: [...linkRules, isHttps],
    mustBe: `an https address of at most ${LINK_CHARACTERS_MAX} characters without spaces, user name or password`,
  }),
  normaliseLink,
);

export const webAddress = mappedText(
  textValue({
    schema: { type: 'string', format: 'uri', maxLength: LINK_CHARACTERS_MAX },
    rules: linkRules,
    mustBe: `an address of at most ${LINK_CHARACTERS_MAX} characters without spaces, user name or password`,
  }),
  normaliseLink,
);

/** Completes "... skills of ...". */
export const SKILL_RULE = `${SKILL_CHARACTERS_MIN} to ${SKILL_CHARACTERS_MAX} letters, digits, combining marks, spaces and + # . / & ' -`;

export const skill = mappedText(
  textValue({
    schema: { type: 'string', description: `A skill of ${SKILL_RULE}, compared without regard to case` },
    rules: [constraint('isSkill', 'malformed', text => isSkill(foldSkill(text)))],
    mustBe: `a skill of ${SKILL_RULE}`,
  }),
  foldSkill,
);

export const skillList = (max: number) =>
  parsedValue(
    textValue({
      schema: { type: 'string', description: `At most ${max} skills, comma separated` },
      rules: [
        constraint('areSkills', 'malformed', text => parseSkills(text).refused.length === 0),
        constraint('isAtMost', 'too_many', text => parseSkills(text).skills.length <= max),
      ],
      mustBe: `at most ${max} comma separated skills of ${SKILL_RULE}`,
    }),
    text => parseSkills(text).skills,
    Type.Array(Type.String()),
    'readonly string[]',
  );
