import 'reflect-metadata';
import { registerDecorator, type ValidationArguments } from 'class-validator';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN, tidyName } from '#libs/kernel/names.js';
import { parseSkills } from '#libs/kernel/skills.js';

/**
 * The decorators that request classes are made of. Each says whether a field is needed, what it may hold, and the
 * JSON Schema that the API description shows, so that the three cannot disagree. Lengths are counted in Unicode
 * code points.
 */
export interface FieldDescription {
  readonly name: string;
  readonly required: boolean;
  readonly schema: { readonly [key: string]: unknown };
}

interface Check {
  readonly schema: { readonly [key: string]: unknown };
  /** Whether a value is right. It is never asked about an empty one. */
  readonly holds: (value: string) => boolean;
  /** Completes the sentence "<field> must be ...". */
  readonly mustBe: string;
}

export interface Presence {
  /** A field that is left out or empty is refused. */
  readonly required?: boolean;
}

const descriptions = new WeakMap<object, FieldDescription[]>();

/** The fields of a request class, those of the classes it extends first. */
export function fieldsOf(dto: abstract new (...args: never[]) => object): readonly FieldDescription[] {
  const parent = Object.getPrototypeOf(dto) as typeof dto | null;
  const inherited = parent?.prototype ? fieldsOf(parent) : [];
  return [...inherited, ...(descriptions.get(dto) ?? [])];
}

/** A field with a check of its own, for rules that one feature alone has. */
export function Field(check: Check, { required = false }: Presence = {}): PropertyDecorator {
  return (target, property) => {
    const name = String(property);
    const dto = target.constructor;
    descriptions.set(dto, [...(descriptions.get(dto) ?? []), { name, required, schema: check.schema }]);
    registerDecorator({
      name: 'field',
      target: dto,
      propertyName: name,
      validator: {
        validate: (value: unknown) => accepted(value, check, required),
        defaultMessage: (args?: ValidationArguments) =>
          missing(args?.value) && required ? `${name} is needed.` : `${name} must be ${check.mustBe}.`,
      },
    });
  };
}

const missing = (value: unknown) => value === undefined || value === '';

function accepted(value: unknown, check: Check, required: boolean): boolean {
  if (missing(value)) return !required;
  return typeof value === 'string' && value.isWellFormed() && check.holds(value);
}

export const codePoints = (value: string) => [...value].length;

/** Control characters (Unicode category Cc), and the same without those that break lines. */
const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\n\r\t]/u;

interface Length {
  readonly min?: number;
  readonly max: number;
}

interface TextLength extends Length {
  /** Whether leading and trailing space is not counted, because the text is stored without it. */
  readonly trimmed?: boolean;
}

/** Text of several lines. */
export const Text = ({ min = 1, max, trimmed = false }: TextLength, presence?: Presence) =>
  Field(
    {
      schema: { type: 'string', minLength: min, maxLength: max },
      holds: value =>
        codePoints(trimmed ? value.trim() : value) >= min && codePoints(value) <= max && !CONTROL_BUT_LINES.test(value),
      mustBe: `text of ${min} to ${max} characters`,
    },
    presence,
  );

/** Text of one line. */
export const Line = ({ min = 1, max }: Length, presence?: Presence) =>
  Field(
    {
      schema: { type: 'string', minLength: min, maxLength: max },
      holds: value => codePoints(value.trim()) >= min && codePoints(value) <= max && !CONTROL.test(value),
      mustBe: `one line of ${min} to ${max} characters`,
    },
    presence,
  );

/** A name. Its length is counted as it is stored: trimmed, and with runs of spaces as one. */
export const Name = (presence?: Presence) =>
  Field(
    {
      schema: { type: 'string', minLength: NAME_CHARACTERS_MIN, maxLength: NAME_CHARACTERS_MAX },
      holds: value => {
        const characters = codePoints(tidyName(value));
        return characters >= NAME_CHARACTERS_MIN && characters <= NAME_CHARACTERS_MAX && !CONTROL.test(value);
      },
      mustBe: `one line of ${NAME_CHARACTERS_MIN} to ${NAME_CHARACTERS_MAX} characters`,
    },
    presence,
  );

/** Text that matches a pattern. */
export const Pattern = (pattern: RegExp, mustBe: string, presence?: Presence) =>
  Field({ schema: { type: 'string', pattern: pattern.source }, holds: value => pattern.test(value), mustBe }, presence);

export const OneOf = (values: readonly string[], presence?: Presence) =>
  Field(
    {
      schema: { type: 'string', enum: values },
      holds: value => values.includes(value),
      mustBe: `one of ${values.join(', ')}`,
    },
    presence,
  );

export const Flag = (presence?: Presence) => OneOf(['true', 'false'], presence);
export const MuseId = (presence?: Presence) => Pattern(MUSE_ID, 'a muse_id', presence);
export const Slug = (presence?: Presence) => Pattern(/^[a-z0-9][a-z0-9-]{0,79}$/, 'a slug', presence);
export const Id = (presence?: Presence) => Pattern(/^[0-9]{1,12}$/, 'an id of 1 to 12 digits', presence);
export const PublicKey = (presence?: Presence) =>
  Pattern(/^[A-Za-z0-9_-]{43}$/, 'an ed25519 public key of 43 base64url characters', presence);
export const Wallet = (presence?: Presence) =>
  Pattern(/^0x[0-9a-fA-F]{40}$/, 'an EVM address: 0x and 40 hex digits', presence);
export const Digest = (presence?: Presence) =>
  Pattern(/^[0-9a-f]{64}$/, 'a sha256 of 64 lower-case hex digits', presence);

export const Lightning = (presence?: Presence) =>
  Pattern(/^[^\s@]{1,64}@[^\s@]{1,190}$/, 'a lightning address: name@domain', presence);

const LINK_CHARACTERS_MAX = 500;

/** An https address. */
export const Link = (presence?: Presence) =>
  Field(
    {
      schema: { type: 'string', format: 'uri', pattern: '^https://', maxLength: LINK_CHARACTERS_MAX },
      holds: value => value.length <= LINK_CHARACTERS_MAX && isHttps(value),
      mustBe: `an https address of at most ${LINK_CHARACTERS_MAX} characters`,
    },
    presence,
  );

function isHttps(value: string): boolean {
  return !CONTROL.test(value) && URL.canParse(value) && new URL(value).protocol === 'https:';
}

/** A comma separated list of at most `max` skills. */
export const Skills = (max: number, presence?: Presence) =>
  Field(
    {
      schema: { type: 'string', description: `At most ${max} skills, comma separated` },
      holds: value => {
        const { skills, refused } = parseSkills(value);
        return refused.length === 0 && skills.length <= max;
      },
      mustBe: `at most ${max} comma separated skills of 2 to 24 letters, digits, spaces and + # . / & ' -`,
    },
    presence,
  );
