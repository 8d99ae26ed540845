import { Muse } from '#libs/domain/muse.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { appendNameSuffix, hasReservedWords, isReservedName } from '#libs/kernel/name-rules.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { listNameSubjects, type ClaimSubject } from './claim-streams.js';
import type { Claims } from './claims.js';

const SUGGESTIONS = 3;
const SUGGESTIONS_TRIED_MAX = 9;

/**
 * Claims a name until the event of `type` in the muse's stream finishes the claim. Throws `name_taken` with
 * suggestions.
 */
export async function claimName(
  claims: Claims,
  name: string,
  museId: string,
  type: string,
  context: CommandContext,
): Promise<void> {
  const owner = Muse.streamName(museId);
  const finishes = { event: context.ids.event(owner, type) };
  const subjects = listNameSubjects(name);
  // Checks all look-alikes first, so that a taken one leaves no claim on the others.
  if (isReservedName(name) || !(await areAvailable(claims, subjects.slice(1), owner, context.at)))
    throw await createNameTakenRefusal(claims, name, context);
  for (const subject of subjects) {
    const conflict = await claims.acquire(subject, { owner, finishes }, context);
    if (conflict !== null && conflict.data.owner !== owner) throw await createNameTakenRefusal(claims, name, context);
  }
}

export async function assertNameAvailable(
  claims: Claims,
  name: string,
  museId: string,
  context: CommandContext,
): Promise<void> {
  const isAvailable =
    !isReservedName(name) && (await areAvailable(claims, listNameSubjects(name), Muse.streamName(museId), context.at));
  if (!isAvailable) throw await createNameTakenRefusal(claims, name, context);
}

async function areAvailable(
  claims: Claims,
  subjects: readonly ClaimSubject[],
  owner: string | null,
  at: number,
): Promise<boolean> {
  for (const subject of subjects) {
    const claim = await claims.findValid(subject, owner, undefined, at);
    if (claim !== null && claim.data.owner !== owner) return false;
  }
  return true;
}

async function createNameTakenRefusal(claims: Claims, name: string, context: CommandContext): Promise<Refusal> {
  const state = isReservedName(name) ? 'reserved' : 'taken';
  return new Refusal('name_taken', `The \`name\` ${name} is ${state}.`, {
    field: 'name',
    more: { suggestions: await suggestNames(claims, name, context) },
  });
}

async function suggestNames(claims: Claims, name: string, { requestKey, at }: CommandContext): Promise<string[]> {
  const free: string[] = [];
  for (let tried = 0; free.length < SUGGESTIONS && tried < SUGGESTIONS_TRIED_MAX; tried += 1) {
    const candidate = buildCandidate(name, requestKey, tried);
    if (!hasReservedWords(candidate) && (await areAvailable(claims, listNameSubjects(candidate), null, at)))
      free.push(candidate);
  }
  return free;
}

function buildCandidate(name: string, seed: string, tried: number): string {
  const candidate = appendNameSuffix(name, seed, name, tried);
  return hasReservedWords(candidate) ? appendNameSuffix('Agent', seed, name, tried) : candidate;
}
