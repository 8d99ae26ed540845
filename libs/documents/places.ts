import { randomUUID } from 'node:crypto';
import type { Position } from '#libs/kernel/event.js';
import { liveId } from './build-name.js';
import type { Batch, Lease } from './port.js';

/** In front of a place's name: it stands before every build's in their order, which begins with a letter. */
export const PLACE_MARK = '@';
/** In front of it and behind the mark stand the names of all places. */
export const BEHIND_PLACES = 'A';

/** Where a build stands. */
export interface Standing {
  readonly build: string;
  readonly position: Position;
  /** The place that it shares with others, which moves all of them in one write; null where it has one of its own. */
  readonly place: string | null;
  /** Why it was halted. */
  readonly stopped: string | null;
}

/** Builds that move to one position in one commit. */
export interface Move<S extends Standing = Standing> {
  readonly builds: readonly S[];
  readonly to: Position;
  /** The place that they share from then on; null for one build alone. */
  readonly place: string | null;
}

/**
 * The moves of one commit. Builds that come to one position share a place from then on: one of theirs where nobody
 * else stands there, else a new one. Who is left behind (halted, rebuilt, of another process) keeps the old one.
 * `at` names who stands at a place.
 */
export function movesOf<S extends Standing>(
  steps: readonly { readonly standing: S; readonly to: Position }[],
  at: (place: string) => readonly string[],
): Move<S>[] {
  const moving = steps.filter(({ standing, to }) => to !== standing.position);
  const ends = [...new Set(moving.map(({ to }) => to))];
  return ends.map(to => {
    const builds = moving.filter(each => each.to === to).map(({ standing }) => standing);
    return { builds, to, place: placeOf(builds, at) };
  });
}

function placeOf(builds: readonly Standing[], at: (place: string) => readonly string[]): string | null {
  if (builds.length === 1) return null;
  const names = new Set(builds.map(({ build }) => build));
  const own = builds.find(({ place }) => place !== null && at(place).every(build => names.has(build)));
  return own ? own.place : PLACE_MARK + randomUUID();
}

/** A place, and what it has counted: another number behind each change of more than its position. */
export interface Settled {
  readonly place: string;
  readonly changes: number;
}

/**
 * What the first commit of a writer has found, and every later one of the same may rest on for as long as its place has
 * counted nothing: whatever takes a lease away, makes another build the live one or has it indexed otherwise counts
 * that at the place, in its own transaction or behind it.
 */
export interface Known<L> extends Settled {
  readonly key: string;
  readonly live: L;
}

/** Equal for commits that rest on the same; null for one whose batches do not all go from one position to another. */
export function knownAs(batches: readonly Batch[], leases: readonly Lease[]): string | null {
  const [first] = batches;
  if (!first || first.from === first.to) return null;
  if (batches.some(({ from, to }) => from !== first.from || to !== first.to)) return null;
  const held = leases.map(({ name, epoch }) => `${name}:${epoch}`);
  return [...batches.map(({ projection }) => liveId(projection)), ...held].join();
}
