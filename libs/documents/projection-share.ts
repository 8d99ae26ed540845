import { createHash } from 'node:crypto';
import { Members } from '#libs/platform/coordination/members.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import { rendezvousWeight } from '#libs/platform/coordination/rendezvous.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Projection } from '#libs/kernel/projection.js';
import { formatProjectionVersion } from './build-name.js';
import { LEASE_MS } from './lease-keeper.js';

/** How often it is looked who else is there. */
const LOOK_MS = 1 * SECOND_MS;

export interface ProjectionShareParts {
  readonly coordination: Coordination;
  readonly clock: Clock;
  /** Projections that are one process's together. */
  readonly groups: readonly (readonly Projection[])[];
  /** Names this process. */
  readonly me: string;
}

/**
 * Which projections a process is to keep, of all processes that keep the same ones: another build's share among
 * themselves. It says what is wanted and nothing more; who may write is the leases'.
 */
export class ProjectionShare {
  private readonly members: Members;
  private mine: ReadonlySet<string> = new Set();
  private lookedAt = -Infinity;

  constructor(private readonly given: ProjectionShareParts) {
    const { coordination, clock, groups, me } = given;
    const build = createHash('sha256').update(groups.flat().map(formatProjectionVersion).sort().join()).digest('hex');
    this.members = new Members(coordination, clock, { of: `projections/${build}`, me, keptMs: LEASE_MS });
  }

  wants(name: string): boolean {
    return this.mine.has(name);
  }

  /** Where it cannot be known who is there, it stays as it was. */
  async look(): Promise<void> {
    if (performance.now() - this.lookedAt < LOOK_MS) return;
    const { me, groups } = this.given;
    const all = await this.members.join().catch(() => null);
    this.lookedAt = performance.now();
    if (all) this.mine = new Set(assignGroups(me, all, groups).flat().map(formatProjectionVersion));
  }

  async leave(): Promise<void> {
    // One that cannot be told of it waits until its time is over.
    await this.members.leave().catch(() => undefined);
  }
}

/**
 * Each group goes to whoever weighs most for it and has not its part yet, so that nobody has two groups more than
 * another. Whoever decides it of the same members decides the same.
 */
export function assignGroups<G extends readonly Projection[]>(
  me: string,
  members: readonly string[],
  groups: readonly G[],
): G[] {
  const taken = new Map(members.map(name => [name, 0]));
  const mine: G[] = [];
  for (const [at, group] of groups.entries()) {
    const part = Math.floor(at / members.length);
    const free = members.filter(name => taken.get(name)! <= part);
    const named = formatProjectionVersion(group[0]!);
    const heaviest = free.reduce((a, b) => (rendezvousWeight(b, named) > rendezvousWeight(a, named) ? b : a), free[0]!);
    taken.set(heaviest, taken.get(heaviest)! + 1);
    if (heaviest === me) mine.push(group);
  }
  return mine;
}
