import { Muse } from '#libs/streams/muse.js';
import type { Context } from '#libs/kernel/decide.js';
import { eventId } from '#libs/kernel/ids.js';
import { foldName, NAME_CHARACTERS_MAX, SUFFIX_CHARACTERS, suffix } from '#libs/kernel/names.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Claims } from './claims.js';

const SUGGESTIONS = 3;
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

/**
 * Claims a name for a muse; the event of `type` in the muse's stream will finish the claim. Refuses with `name_taken`,
 * and suggests names that are free.
 */
export async function claimName(
  claims: Claims,
  name: string,
  museId: string,
  type: string,
  context: Context,
): Promise<void> {
  const owner = Muse.named(museId);
  const finishes = { event: eventId(context.requestKey, owner, type, 0) };
  if (RESERVED.has(foldName(name))) throw await nameTaken(claims, name, context);
  const standing = await claims.take({ kind: 'name', value: foldName(name) }, { owner, finishes }, context);
  // The muse may hold the same name already, in other letters.
  if (standing !== null && standing.data.owner !== owner) throw await nameTaken(claims, name, context);
}

/** Refuses a name that another muse has. Claims nothing. */
export async function checkName(claims: Claims, name: string, museId: string, context: Context): Promise<void> {
  const thing = { kind: 'name', value: foldName(name) } as const;
  const free = !RESERVED.has(thing.value) && (await claims.standing(thing, Muse.named(museId))) === null;
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
    if (!(await claims.standing({ kind: 'name', value: foldName(candidate) }, null))) free.push(candidate);
  }
  return free;
}
