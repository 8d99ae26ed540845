import { isPosition, POSITION_MAX } from '#libs/kernel/event.js';
import { EVM_ADDRESS, isUnspendableAddress } from '#libs/kernel/evm-address.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { LINK_CHARACTERS_MAX, parseLink } from '#libs/kernel/url.js';
import type { Reason } from '#libs/kernel/field-faults.js';
import { isValidName, NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN, normaliseName } from '#libs/kernel/name-rules.js';
import { foldSkill, isSkill, parseSkills, SKILL_CHARACTERS_MAX, SKILL_CHARACTERS_MIN } from '#libs/kernel/skills.js';
import { textValidator, type FieldValidator, mapValidator } from './field-validator.js';

export const countCodePoints = (value: string) => [...value].length;

/** Control characters (Unicode category Cc). */
const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\n\r\t]/u;

export const hasControlCharacters = (value: string) => CONTROL.test(value);

/** In Unicode code points. */
interface LengthBounds {
  readonly min?: number;
  readonly max: number;
}

export const classifyTextFault =
  (max: number, isForbidden: (value: string) => boolean) =>
  (value: string): Reason =>
    countCodePoints(value) > max ? 'too_long' : isForbidden(value) ? 'forbidden_characters' : 'too_short';

export const DIGITS = /^[0-9]{1,20}$/;

export const classifyNumberFault = (text: string): Reason =>
  /^-?[0-9]+$/.test(text) ? 'out_of_range' : 'not_a_number';

export const text = ({ min = 1, max }: LengthBounds): FieldValidator =>
  textValidator({
    schema: { type: 'string', minLength: min, maxLength: max },
    accepts: value => countCodePoints(value) >= min && countCodePoints(value) <= max && !CONTROL_BUT_LINES.test(value),
    expectation: `text of ${min} to ${max} characters`,
    fault: classifyTextFault(max, value => CONTROL_BUT_LINES.test(value)),
  });

/** Multi-line text with a visible character, kept unchanged. */
export const nonBlankText = ({ min = 1, max }: LengthBounds): FieldValidator => {
  const rules = text({ min, max });
  return textValidator({
    ...rules,
    accepts: value => rules.accepts(value) && countCodePoints(value.trim()) >= min,
    expectation: `${rules.expectation} that are not all spaces`,
  });
};

/** Multi-line text, stored without outer white space. */
export const trimmedText = ({ min = 1, max }: LengthBounds): FieldValidator => {
  const rules = text({ min, max });
  const holds = (value: string) =>
    countCodePoints(value.trim()) >= min && countCodePoints(value) <= max && !CONTROL_BUT_LINES.test(value);
  return mapValidator({ ...rules, accepts: holds }, value => value.trim());
};

/** One line with a visible character, kept unchanged. */
export const line = ({ min = 1, max }: LengthBounds): FieldValidator =>
  textValidator({
    schema: { type: 'string', minLength: min, maxLength: max },
    accepts: value =>
      countCodePoints(value.trim()) >= min && countCodePoints(value) <= max && !hasControlCharacters(value),
    expectation: `one line of ${min} to ${max} characters`,
    fault: classifyTextFault(max, hasControlCharacters),
  });

export const anyLine: FieldValidator = textValidator({
  schema: { type: 'string' },
  accepts: value => !hasControlCharacters(value),
  expectation: 'one line',
  fault: () => 'forbidden_characters',
});

export const trimmedLine = (length: LengthBounds): FieldValidator => mapValidator(line(length), value => value.trim());

function classifyNameFault(value: string): Reason {
  if (hasControlCharacters(value)) return 'forbidden_characters';
  const characters = countCodePoints(normaliseName(value));
  if (characters > NAME_CHARACTERS_MAX) return 'too_long';
  return characters < NAME_CHARACTERS_MIN ? 'too_short' : 'not_allowed';
}

export const name: FieldValidator = mapValidator(
  textValidator({
    schema: { type: 'string', minLength: NAME_CHARACTERS_MIN, maxLength: NAME_CHARACTERS_MAX },
    accepts: value => !hasControlCharacters(value) && isValidName(normaliseName(value)),
    expectation:
      `one line of ${NAME_CHARACTERS_MIN} to ${NAME_CHARACTERS_MAX} visible characters with a letter, digit or ` +
      'emoji, in one script (Latin with Han and Kana, Bopomofo or Hangul counts as one), without a check mark, and not ' +
      'in the form of an id',
    fault: classifyNameFault,
  }),
  normaliseName,
);

export const pattern = (expression: RegExp, mustBe: string): FieldValidator =>
  textValidator({
    schema: { type: 'string', pattern: expression.source },
    accepts: value => expression.test(value),
    expectation: mustBe,
  });

export const oneOf = <const T extends string>(...values: readonly T[]): FieldValidator<T> =>
  mapValidator(
    textValidator({
      schema: { type: 'string', enum: [...values] },
      accepts: value => (values as readonly string[]).includes(value),
      expectation: `one of ${values.join(', ')}`,
      fault: () => 'unknown_value',
    }),
    value => value as T,
  );

export const flag: FieldValidator<boolean> = mapValidator(oneOf('true', 'false'), value => value === 'true', 'boolean');
/** Also accepts `1` and `0`, for query strings. */
export const shortFlag: FieldValidator<boolean> = mapValidator(
  oneOf('1', '0', 'true', 'false'),
  value => value === '1' || value === 'true',
  'boolean',
);
/** A number above the maximum of a log would reach the store truncated. */
export const logPosition = textValidator({
  schema: { type: 'string', pattern: '^[0-9]+$' },
  accepts: text => isPosition(text) && text <= POSITION_MAX,
  expectation: 'the event-position of a response',
  fault: text => (isPosition(text) ? 'out_of_range' : 'malformed'),
});
export const museId = pattern(MUSE_ID, 'a muse_id');
export const slug = pattern(/^[a-z0-9][a-z0-9-]{0,79}$/, 'a slug');
export const id: FieldValidator<number> = mapValidator(
  pattern(/^[0-9]{1,12}$/, 'an id of 1 to 12 digits'),
  Number,
  'number',
);
export const itemInPath = pattern(/^[0-9]{1,15}$/, 'an id of 1 to 15 digits');
export const itemId: FieldValidator<number> = mapValidator(itemInPath, Number, 'number');
export const publicKey = pattern(/^[A-Za-z0-9_-]{43}$/, 'an ed25519 public key of 43 base64url characters');
/** 64 bytes. The verifier refuses a last character with unused bits. */
export const signature = pattern(/^[A-Za-z0-9_-]{86}$/, 'an ed25519 signature of 86 base64url characters');
export const wallet = pattern(EVM_ADDRESS, 'an EVM address: 0x and 40 hex digits');
/** Other muses pay to this address, and money sent to an address without a key is lost. */
export const payoutAddress: FieldValidator = {
  ...wallet,
  accepts: value => wallet.accepts(value) && !isUnspendableAddress(value),
  expectation: 'an EVM address, 0x and 40 hex digits, that has a key: not the zero address or a token contract',
  fault: value => (wallet.accepts(value) ? 'not_allowed' : 'malformed'),
};
export const digest = pattern(/^[0-9a-f]{64}$/, 'a sha256 of 64 lower-case hex digits');
export const lightning = pattern(/^[^\s@]{1,64}@[^\s@]{1,190}$/, 'a lightning address: name@domain');
export const time: FieldValidator<number> = mapValidator(
  { ...pattern(/^[0-9]{13}$/, 'unix milliseconds as 13 digits'), fault: classifyNumberFault },
  Number,
  'number',
);
export const number = (from: number, to: number): FieldValidator<number> =>
  mapValidator(
    textValidator({
      schema: { type: 'string', pattern: '^[0-9]+$', description: `A number from ${from} to ${to}` },
      accepts: value => /^[1-9][0-9]{0,8}$|^0$/.test(value) && Number(value) >= from && Number(value) <= to,
      expectation: `a number from ${from} to ${to}`,
      fault: classifyNumberFault,
    }),
    Number,
    'number',
  );

/** An address that parses but is refused does not use https. */
const classifyLinkFault = (value: string): Reason => {
  const parsed = parseLink(value);
  if ('href' in parsed) return 'not_allowed';
  return parsed.fault === 'too_long' ? 'too_long' : parsed.fault === 'credentials' ? 'not_allowed' : 'malformed';
};

/** Returns a value unchanged if only earlier rules accepted it. */
const normaliseLink = (value: string) => {
  const parsed = parseLink(value);
  return 'href' in parsed ? parsed.href : value;
};

export const link: FieldValidator = mapValidator(
  textValidator({
    schema: { type: 'string', format: 'uri', pattern: '^https://', maxLength: LINK_CHARACTERS_MAX },
    accepts: value => {
      const parsed = parseLink(value);
      return 'href' in parsed && parsed.protocol === 'https:';
    },
    expectation: `an https address of at most ${LINK_CHARACTERS_MAX} characters without spaces, user name or password`,
    fault: classifyLinkFault,
  }),
  normaliseLink,
);

export const webAddress: FieldValidator = mapValidator(
  textValidator({
    schema: { type: 'string', format: 'uri', maxLength: LINK_CHARACTERS_MAX },
    accepts: value => 'href' in parseLink(value),
    expectation: `an address of at most ${LINK_CHARACTERS_MAX} characters without spaces, user name or password`,
    fault: classifyLinkFault,
  }),
  normaliseLink,
);

/** Completes "... skills of ...". */
export const SKILL_RULE = `${SKILL_CHARACTERS_MIN} to ${SKILL_CHARACTERS_MAX} letters, digits, combining marks, spaces and + # . / & ' -`;

export const skill: FieldValidator = mapValidator(
  textValidator({
    schema: { type: 'string', description: `A skill of ${SKILL_RULE}, compared without regard to case` },
    accepts: value => isSkill(foldSkill(value)),
    expectation: `a skill of ${SKILL_RULE}`,
  }),
  foldSkill,
);

export const skills = (max: number): FieldValidator<string[]> =>
  mapValidator(
    textValidator({
      schema: { type: 'string', description: `At most ${max} skills, comma separated` },
      accepts: value => {
        const { skills, refused } = parseSkills(value);
        return refused.length === 0 && skills.length <= max;
      },
      expectation: `at most ${max} comma separated skills of ${SKILL_RULE}`,
      fault: value => (parseSkills(value).refused.length > 0 ? 'malformed' : 'too_many'),
    }),
    value => parseSkills(value).skills,
    'readonly string[]',
  );
