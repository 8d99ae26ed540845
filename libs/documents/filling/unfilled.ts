import type { EventLog } from '#libs/event-log/port.js';
import { type Position, START } from '#libs/kernel/event.js';
import type { Checkpoint } from '../port.js';

/** What a look at live builds has found. */
export interface LookedAt<C extends Checkpoint> {
  readonly unfilled: readonly C[];
  /** Names of the projections whose position the log does not hold. */
  readonly past: ReadonlySet<string>;
  /** The newest event's position, looked up behind the checkpoints: nobody has folded more than there was. */
  readonly head: Position;
}

/** The live builds that nobody can read yet, or any more, of those at these checkpoints. */
export async function unfilledOf<C extends Checkpoint>(
  checkpoints: readonly C[],
  log: Pick<EventLog, 'head' | 'holds'>,
): Promise<LookedAt<C>> {
  const head = await log.head();
  const reached = new Set(checkpoints.map(({ position }) => position));
  const lost = new Set<Position>();
  for (const position of reached) if (!(await log.holds(position))) lost.add(position);
  const past = new Set(checkpoints.filter(({ position }) => lost.has(position)).map(({ name }) => name));
  const isUnfilled = ({ name, position, stopped }: C) =>
    past.has(name) || (position === START && stopped === null && head > START);
  return { unfilled: checkpoints.filter(isUnfilled), past, head };
}
