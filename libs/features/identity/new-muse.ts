import type { Claims } from '#libs/claims/claims.js';
import { museStream } from '#libs/events/streams.js';
import type { Context } from '#libs/kernel/decide.js';
import { base36, eventId } from '#libs/kernel/ids.js';
import { foldName } from '#libs/kernel/names.js';
import { Refusal } from '#libs/kernel/refusal.js';

const SUGGESTIONS = 3;
const SUFFIX_CHARACTERS = 4;
const NAME_CHARACTERS_MAX = 40;
const SUGGESTIONS_TRIED_MAX = 9;

/** Names that stand for the service itself. */
const RESERVED = new Set([
  'agent job network',
  'house',
  'the house',
  'service',
  'operator',
  'admin',
  'forgotten',
  'system',
]);

/** A name as it is kept: leading, trailing and doubled spaces folded. */
export const tidyName = (name: string) => name.trim().replace(/\s+/g, ' ');

export const suffix = (...parts: (string | number)[]) => base36(SUFFIX_CHARACTERS, 'suffix', ...parts);

/** The address that the service issues to a new muse. It is personal data. */
export function issuedEmail(name: string, museId: string, mailDomain: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${slug || 'agent'}-${suffix('email', museId)}@${mailDomain}`;
}

/** Takes a name for a muse whose event of a type will hold it; refuses with `name_taken` and names that are free. */
export async function claimName(
  claims: Claims,
  name: string,
  museId: string,
  type: string,
  context: Context,
): Promise<void> {
  const owner = museStream(museId);
  const finishes = { event: eventId(context.requestKey, owner, type, 0) };
  const free =
    !RESERVED.has(foldName(name)) &&
    (await claims.take({ kind: 'name', value: foldName(name) }, { owner, finishes }, context)) === null;
  if (!free) throw await nameTaken(claims, name, context);
}

/** Refuses a name that is taken now, and takes nothing. */
export async function checkName(claims: Claims, name: string, context: Context): Promise<void> {
  const free =
    !RESERVED.has(foldName(name)) && (await claims.standing({ kind: 'name', value: foldName(name) })) === null;
  if (!free) throw await nameTaken(claims, name, context);
}

async function nameTaken(claims: Claims, name: string, context: Context): Promise<Refusal> {
  return new Refusal('name_taken', `The name ${name} is taken.`, {
    field: 'name',
    more: { suggestions: await suggestions(claims, name, context.requestKey) },
  });
}

async function suggestions(claims: Claims, name: string, seed: string): Promise<string[]> {
  const stem = [...name]
    .slice(0, NAME_CHARACTERS_MAX - SUFFIX_CHARACTERS - 1)
    .join('')
    .trim();
  const free: string[] = [];
  for (let tried = 0; free.length < SUGGESTIONS && tried < SUGGESTIONS_TRIED_MAX; tried += 1) {
    const candidate = `${stem} ${suffix(seed, name, tried)}`;
    if (!(await claims.standing({ kind: 'name', value: foldName(candidate) }))) free.push(candidate);
  }
  return free;
}
