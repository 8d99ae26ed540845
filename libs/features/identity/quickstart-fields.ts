import { optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { parseSkills, SKILLS_MAX } from '#libs/kernel/skills.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Registered } from '#libs/domain/muse.js';
import { profileRequest } from '#libs/domain/profile.js';
import { ORIGIN_FIELDS } from './new-identity.js';

export const QUICKSTART_FIELDS = {
  ...profileRequest('quickstart'),
  ...ORIGIN_FIELDS,
  src_code: optional(c.line({ max: 80 }), 'Reserved'),
};
export type QuickstartFields = FieldValues<typeof QUICKSTART_FIELDS>;

/** A quickstart is not signed, so a replay takes its fields from its first event. */
export function requestedFieldsIn({ data }: EventOf<typeof Registered>): QuickstartFields {
  const { skills = [], src, referred_by, ...profile } = data;
  const values = { ...profile, skills: skills.join(','), src, referred_by };
  const entries = Object.entries(values).filter(([name, value]) => name in QUICKSTART_FIELDS && value !== null);
  return Object.fromEntries(entries);
}

export function splitSkills({ skills: text = '' }: QuickstartFields) {
  const { skills, refused } = parseSkills(text);
  return { accepted: skills.slice(0, SKILLS_MAX), dropped: [...refused, ...skills.slice(SKILLS_MAX)] };
}

interface CreatedProfile {
  readonly name: string | null;
  readonly headline: string | null;
  readonly referred_by: string | null;
}

export function adjustmentsOf(fields: QuickstartFields, { name, headline, referred_by }: CreatedProfile) {
  return {
    ...(name !== fields.name && { name }),
    ...(headline !== fields.headline && { headline }),
    ...(fields.referred_by !== undefined && referred_by === null && { referred_by }),
  };
}

/** Adds a request body that can be sent again as it is. */
export function withRetryBody(refusal: Refusal, fields: QuickstartFields): Refusal {
  const [name] = refusal.details.more!['suggestions'] as string[];
  const entries = Object.entries(fields).map(([field, value]) => [field, String(value)]);
  const body: JsonObject = { ...Object.fromEntries(entries), name: name ?? '' };
  return new Refusal(refusal.code, refusal.message, {
    ...refusal.details,
    more: { ...refusal.details.more, retry: { body } },
  });
}
