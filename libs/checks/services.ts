import { parseSkills } from '#libs/kernel/skills.js';
import { check, type Check, readAs } from './check.js';
import { codePoints, hasControl } from './words.js';

export const SERVICES_MAX = 20;
const TEXT_CHARACTERS_MAX = 200;
const HOURS_MAX = 8_760;
const PRICE = /^[0-9]{1,12}(\.[0-9]{1,6})?$/;
const KEYS = ['title', 'done', 'price_usd', 'turnaround_hours', 'skills'];

/** A service offer. */
export type ServiceOffer = {
  readonly title: string;
  readonly done: string;
  readonly price_usd: string;
  readonly turnaround_hours: number;
  readonly skills: string[];
};

/** A JSON array of service offers as text. */
export const services: Check<ServiceOffer[]> = readAs(
  check({
    schema: { type: 'string', description: `A JSON array of at most ${SERVICES_MAX} service offers, as text` },
    holds: value => parseServices(value) !== null,
    mustBe: `a JSON array of at most ${SERVICES_MAX} offers, each with ${KEYS.join(', ')}`,
    fault: value => (isLongArray(value) ? 'too_many' : 'malformed'),
  }),
  value => parseServices(value) ?? [],
);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isLongArray(text: string): boolean {
  const value = parse(text);
  return Array.isArray(value) && value.length > SERVICES_MAX;
}

/** The offers of a `services` field; null where it is not such an array. */
export function parseServices(text: string): ServiceOffer[] | null {
  const value = parse(text);
  if (!Array.isArray(value) || value.length > SERVICES_MAX) return null;
  const offers = value.map(offerOf);
  return offers.every(offer => offer !== null) ? offers : null;
}

function offerOf(value: unknown): ServiceOffer | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).some(key => !KEYS.includes(key))) return null;
  const { title, done, price_usd, turnaround_hours, skills = [] } = value as { [key: string]: unknown };
  if (!isLine(title) || !isLine(done) || typeof price_usd !== 'string' || !PRICE.test(price_usd)) return null;
  if (
    !Number.isInteger(turnaround_hours) ||
    (turnaround_hours as number) < 1 ||
    (turnaround_hours as number) > HOURS_MAX
  )
    return null;
  if (!Array.isArray(skills) || skills.some(skill => typeof skill !== 'string' || skill.includes(','))) return null;
  const parsed = parseSkills(skills.join(','));
  if (parsed.refused.length > 0 || parsed.skills.length > SERVICES_MAX) return null;
  return { title, done, price_usd, turnaround_hours: turnaround_hours as number, skills: parsed.skills };
}

function isLine(value: unknown): value is string {
  if (typeof value !== 'string' || !value.isWellFormed() || hasControl(value)) return false;
  return value.trim() !== '' && codePoints(value) <= TEXT_CHARACTERS_MAX;
}
