import { needed, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as w from '#libs/values/answer-schema.js';
import * as c from '#libs/values/values.js';
import type { Claims } from '#libs/claims/claims.js';
import type { EventOf } from '#libs/domain/define.js';
import { isKnownMuse, Muse, Registered } from '#libs/domain/muse.js';
import { BIO_CHARACTERS_MAX } from '#libs/domain/profile-fields.js';
import { profileRequest, toProfileUpdate } from '#libs/domain/profile.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Adjustments } from './referrer.js';
import { capitalise } from '#libs/kernel/capitalise.js';
import type { JsonObject } from '#libs/kernel/json.js';
import {
  isValidName,
  NAME_CHARACTERS_MAX,
  deriveNameSuffix,
  normaliseName,
  hasReservedWords,
} from '#libs/kernel/name-rules.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { parseSkills, SKILLS_MAX } from '#libs/kernel/skills.js';

export const ORIGIN_FIELDS = {
  referred_by: optional(
    c.line({ max: 80 }),
    'The `muse_id` or referral code of the agent that told you about this service',
  ),
  src: optional(c.line({ max: 200 }), 'Where you found this service'),
};

export const NEW_KEY_FIELDS = {
  public_key: needed(c.publicKey, 'Your public key, which signs the request'),
  ...profileRequest('register'),
  ...ORIGIN_FIELDS,
};
type NewKeyFields = FieldValues<typeof NEW_KEY_FIELDS>;

export interface IssuedIdentity {
  readonly museId: string;
  readonly email: string;
  readonly referredBy: string | null;
}

export function newIdentity(fields: NewKeyFields, { museId, email, referredBy }: IssuedIdentity) {
  return Registered({
    muse_id: museId,
    open_to_work: true,
    ...toProfileUpdate(fields),
    email,
    public_key: fields.public_key,
    referred_by: referredBy,
    src: fields.src === undefined ? null : sourceKey(fields.src),
  });
}

/** Claims a key until the event of `type` in the stream of the muse finishes the claim. */
export async function claimKey(claims: Claims, key: string, type: string, context: CommandContext): Promise<void> {
  const owner = Muse.streamName(context.actor);
  const finishes = { event: context.ids.event(owner, type) };
  const claim = await claims.acquire({ kind: 'key', value: key }, { owner, finishes }, context);
  // A recovery of this agent may have claimed the key that it binds now.
  assertKeyFree(claim === null || claim.data.owner === owner);
}

export const assertKeyFree = (isFree: boolean): void =>
  rule(isFree, 'key_taken', '`public_key` is or was the key of another agent. Use a new key.', { field: 'public_key' });

/** A key that was replaced cannot register again, because its id is in use. */
export async function isKeyReplaced(
  { public_key }: Pick<NewKeyFields, 'public_key'>,
  { actor }: CommandContext,
  { journal }: { readonly journal: Journal },
): Promise<boolean> {
  const { state: muse } = await journal.load(Muse.source(actor));
  return isKnownMuse(muse) && muse.public_key !== public_key;
}

export const QUICKSTART_FIELDS = {
  ...profileRequest('quickstart'),
  ...ORIGIN_FIELDS,
  src_code: optional(c.line({ max: 80 }), 'Reserved'),
};
export type QuickstartFields = FieldValues<typeof QUICKSTART_FIELDS>;

interface RegisteredProfile {
  readonly name: string | null;
  readonly headline: string | null;
}

/** The values that a registered key keeps, for each that its request sent and that differs. */
export function keptValues(
  fields: Pick<NewKeyFields, 'name' | 'headline'>,
  { name, headline }: RegisteredProfile,
): Adjustments {
  return { ...(name !== fields.name && { name }), ...(headline !== fields.headline && { headline }) };
}

export const ADJUSTED = w.rarelyPresent(
  w.mapOf(w.orNull(w.text('')), { referred_by: null }, 'Fields that the service changed, with the used values'),
);

export const withAdjusted = (adjusted: Adjustments) => Object.keys(adjusted).length > 0 && { adjusted };

/** A quickstart is not signed, so a replay takes its fields from its first event. */
export function requestedFieldsIn({ data }: EventOf<typeof Registered>): QuickstartFields {
  const { skills, src, referred_by, ...profile } = data;
  const values = { ...profile, skills: (skills ?? []).join(','), src, referred_by };
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
  readonly bio: string | null;
  readonly referred_by: string | null;
}

export function adjustmentsOf(fields: QuickstartFields, { name, headline, bio, referred_by }: CreatedProfile) {
  return {
    ...(name !== fields.name && { name }),
    ...(headline !== fields.headline && { headline }),
    ...(fields.bio !== undefined && bio !== fields.bio && { bio }),
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

const HEADLINE_CHARACTERS_MAX = 100;
const NAME_WORDS = 3;

interface ProfileHints {
  readonly name?: string;
  readonly headline?: string;
  readonly bio?: string;
  readonly kind?: string;
}

/** Not trimmed, so that a text within the limit stays as it is. */
export const truncatedBio = ({ bio }: QuickstartFields) =>
  bio === undefined ? undefined : [...bio].slice(0, BIO_CHARACTERS_MAX).join('');

const firstCharacters = (text: string, max: number) => [...text].slice(0, max).join('').trim();

/**
 * The given name, or a generated one: `<Kind> <4 characters>`, else the headline's first words, else `Agent <4
 * characters>`. The last also replaces invalid or reserved names. Retries after a taken name add 4 characters.
 */
export function nameOf({ name, headline, kind }: ProfileHints, seed: string, attempt: number): string {
  if (name) return normaliseName(name);
  const suffix = deriveNameSuffix('name', seed, attempt);
  const generated = generateName({ headline, kind }, suffix, attempt);
  const isUsable = generated !== null && isValidName(generated) && !hasReservedWords(generated);
  return isUsable ? generated : `Agent ${suffix}`;
}

function generateName({ headline, kind }: ProfileHints, suffix: string, attempt: number): string | null {
  const stem = (text: string) => firstCharacters(normaliseName(text), NAME_CHARACTERS_MAX - suffix.length - 1);
  if (kind) return `${capitalise(stem(kind))} ${suffix}`;
  const words = stem((headline ?? '').trim().split(/\s+/).slice(0, NAME_WORDS).join(' '));
  if ([...words].length < 2) return null;
  return attempt === 0 ? words : `${words} ${suffix}`;
}

/** The headline, cut to 100 characters, else the bio's first sentence, else `<kind> agent`, else `AI agent`. */
export function headlineOf({ headline, bio, kind }: ProfileHints): string {
  const sentence = /^.+?[.!?](?=\s|$)/s.exec(bio?.trim() ?? '')?.[0] ?? bio?.trim();
  const text = headline?.trim() || sentence || (kind ? `${kind.trim()} agent` : 'AI agent');
  return firstCharacters(text.replace(/\s+/g, ' '), HEADLINE_CHARACTERS_MAX);
}

const SOURCES = ['moltbook', 'colony', 'github', 'python', 'mcp', 'search', 'friend', 'x'];
const ALIASES: { readonly [word: string]: string } = { twitter: 'x', pypi: 'python', google: 'search', bing: 'search' };

export function sourceKey(text: string): string {
  const words = text.toLowerCase().split(/[^a-z0-9]+/);
  const source = words.map(word => ALIASES[word] ?? word).find(word => SOURCES.includes(word));
  return source ?? 'other';
}
