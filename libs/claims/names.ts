import { Muse } from '#libs/domain/muse.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { eventId } from '#libs/kernel/ids.js';
import * as names from '#libs/kernel/names.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { holdsReserved, isReserved } from '#libs/kernel/reserved-names.js';
import { nameThings, type Thing } from './claim-streams.js';
import type { Claims } from './claims.js';

const SUGGESTIONS = 3;
const SUGGESTIONS_TRIED_MAX = 9;

/**
 * Claims a name for a muse; the event of `type` in the muse's stream will finish the claim. Refuses with `name_taken`,
 * and suggests names that are free.
 */
export async function claimName(
  claims: Claims,
  name: string,
  museId: string,
  type: string,
  context: CommandContext,
): Promise<void> {
  const owner = Muse.named(museId);
  const finishes = { event: eventId(context.requestKey, owner, type, 0) };
  const things = nameThings(name);
  // Looked at first, so that a name of which one likeness is taken leaves no claim on the other.
  if (isReserved(name) || !(await areFree(claims, things.slice(1), owner)))
    throw await nameTaken(claims, name, context);
  for (const thing of things) {
    const standing = await claims.take(thing, { owner, finishes }, context);
    // The muse may hold the same name already, in other letters.
    if (standing !== null && standing.data.owner !== owner) throw await nameTaken(claims, name, context);
  }
}

/** Refuses a name that another muse has. Claims nothing. */
export async function checkName(claims: Claims, name: string, museId: string, context: CommandContext): Promise<void> {
  const free = !isReserved(name) && (await areFree(claims, nameThings(name), Muse.named(museId)));
  if (!free) throw await nameTaken(claims, name, context);
}

/** Whether nobody but the `owner` has any of the things. */
async function areFree(claims: Claims, things: readonly Thing[], owner: string | null): Promise<boolean> {
  for (const thing of things) {
    const standing = await claims.standing(thing, owner);
    if (standing !== null && standing.data.owner !== owner) return false;
  }
  return true;
}

async function nameTaken(claims: Claims, name: string, context: CommandContext): Promise<Refusal> {
  const state = isReserved(name) ? 'reserved' : 'taken';
  return new Refusal('name_taken', `The name ${name} is ${state}.`, {
    field: 'name',
    more: { suggestions: await suggestions(claims, name, context.requestKey) },
  });
}

async function suggestions(claims: Claims, name: string, seed: string): Promise<string[]> {
  const free: string[] = [];
  for (let tried = 0; free.length < SUGGESTIONS && tried < SUGGESTIONS_TRIED_MAX; tried += 1) {
    const candidate = candidateOf(name, seed, tried);
    if (!holdsReserved(candidate) && (await areFree(claims, nameThings(candidate), null))) free.push(candidate);
  }
  return free;
}

/** The taken name with a suffix, or `Agent` with one. */
function candidateOf(name: string, seed: string, tried: number): string {
  const candidate = names.withSuffix(name, seed, name, tried);
  return holdsReserved(candidate) ? names.withSuffix('Agent', seed, name, tried) : candidate;
}
