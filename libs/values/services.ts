import { type Static, Type } from 'typebox';
import { isJsonObject, type JsonObject, parseJson } from '#libs/kernel/json.js';
import { parseSkills } from '#libs/kernel/skills.js';
import { constraint } from './constraint.js';
import { parsedValue, textValue } from './value.js';
import { hasTagCharacters, isInvisible } from './invisible-characters.js';
import { countCodePoints, hasControlCharacters } from './constraint.js';
import { SKILL_RULE } from './text-values.js';

export const SERVICES_MAX = 20;
const SKILLS_MAX = 20;
const TEXT_CHARACTERS_MAX = 200;
const HOURS_MAX = 8_760;
const PRICE = /^[0-9]{1,12}(\.[0-9]{1,6})?$/;

interface OfferMember {
  readonly schema: JsonObject;
  readonly holds: (value: unknown) => boolean;
  readonly mustBe: string;
  readonly isOptional?: boolean;
}

const lineMember: OfferMember = {
  schema: { type: 'string', minLength: 1, maxLength: TEXT_CHARACTERS_MAX },
  holds: isLine,
  mustBe: `one line of 1 to ${TEXT_CHARACTERS_MAX} visible characters`,
};
const MEMBERS: { readonly [K in keyof ServiceOffer]: OfferMember } = {
  title: lineMember,
  done: lineMember,
  price_usd: {
    schema: { type: 'string', pattern: PRICE.source, examples: ['12.50'] },
    holds: value => typeof value === 'string' && PRICE.test(value),
    mustBe: 'a decimal string such as "12.50"',
  },
  turnaround_hours: {
    schema: { type: 'integer', minimum: 1, maximum: HOURS_MAX },
    holds: value => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= HOURS_MAX,
    mustBe: `a whole number from 1 to ${HOURS_MAX}`,
  },
  skills: {
    schema: { type: 'array', items: { type: 'string' }, maxItems: SKILLS_MAX },
    holds: isSkillList,
    mustBe: `an array of at most ${SKILLS_MAX} skills of ${SKILL_RULE}`,
    isOptional: true,
  },
};
const ROWS = Object.entries(MEMBERS);
const NAMES = Object.keys(MEMBERS);
const OFFER_EXPECTATION = `an object with ${NAMES.map(name => `\`${name}\``).join(', ')}`;
const SERVICES_EXPECTATION = `a JSON array of at most ${SERVICES_MAX} offers, written as a string, each ${OFFER_EXPECTATION}`;

/** Value of an offer in events and documents. */
const offer = Type.Object({
  title: Type.String(),
  done: Type.String(),
  price_usd: Type.String(),
  turnaround_hours: Type.Integer({ minimum: 0 }),
  skills: Type.Array(Type.String()),
});
export type ServiceOffer = Readonly<Static<typeof offer>>;

const servicesText = textValue({
  schema: {
    type: 'string',
    description: `A JSON array of at most ${SERVICES_MAX} service offers, written as a string`,
    contentMediaType: 'application/json',
    contentSchema: {
      type: 'array',
      maxItems: SERVICES_MAX,
      items: {
        type: 'object',
        properties: Object.fromEntries(ROWS.map(([name, { schema }]) => [name, schema])),
        required: ROWS.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
        additionalProperties: false,
      },
    },
  },
  rules: [
    constraint('isAtMost', 'too_many', text => !isLongArray(parseJson(text))),
    constraint('areOffers', 'malformed', text => findServicesFault(parseJson(text)) === null),
  ],
  mustBe: SERVICES_EXPECTATION,
});

export const services = {
  ...parsedValue(servicesText, text => parseServices(text) ?? [], Type.Array(offer)),
  locateFault: (text: string) => findServicesFault(parseJson(text))!,
};

const isLongArray = (value: unknown) => Array.isArray(value) && value.length > SERVICES_MAX;

function findServicesFault(value: unknown): { at: string; mustBe: string } | null {
  if (!Array.isArray(value) || isLongArray(value)) return { at: '', mustBe: SERVICES_EXPECTATION };
  for (const [index, entry] of value.entries()) {
    const problem = findOfferFault(entry);
    if (problem) return { at: `[${index}]${problem.at}`, mustBe: problem.mustBe };
  }
  return null;
}

function findOfferFault(entry: unknown): { at: string; mustBe: string } | null {
  if (!isJsonObject(entry)) return { at: '', mustBe: OFFER_EXPECTATION };
  const unknown = Object.keys(entry).find(name => !NAMES.includes(name));
  if (unknown !== undefined)
    return /^\w{1,40}$/.test(unknown)
      ? { at: `.${unknown}`, mustBe: `left out: an offer is ${OFFER_EXPECTATION}` }
      : { at: '', mustBe: `${OFFER_EXPECTATION}, and nothing else` };
  const wrong = ROWS.find(([name, { holds, isOptional }]) => {
    const value = entry[name];
    return value === undefined ? !isOptional : !holds(value);
  });
  return wrong ? { at: `.${wrong[0]}`, mustBe: wrong[1].mustBe } : null;
}

export function parseServices(text: string): ServiceOffer[] | null {
  const value = parseJson(text);
  return findServicesFault(value) === null ? (value as unknown as Partial<ServiceOffer>[]).map(normaliseOffer) : null;
}

const normaliseOffer = ({ skills = [], ...offer }: Partial<ServiceOffer>) =>
  ({ ...offer, skills: parseSkills(skills.join(',')).skills }) as ServiceOffer;

function isSkillList(value: unknown): boolean {
  if (!Array.isArray(value) || value.some(skill => typeof skill !== 'string' || skill.includes(','))) return false;
  const { skills, refused } = parseSkills(value.join(','));
  return refused.length === 0 && skills.length <= SKILLS_MAX;
}

function isLine(value: unknown): boolean {
  if (typeof value !== 'string' || !value.isWellFormed() || hasControlCharacters(value) || hasTagCharacters(value))
    return false;
  return value.trim() !== '' && !isInvisible(value) && countCodePoints(value) <= TEXT_CHARACTERS_MAX;
}
