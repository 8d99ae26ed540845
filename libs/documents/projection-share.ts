import { createHash } from 'node:crypto';
import { Members, rendezvousWeight } from '#libs/platform/coordination/members.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Projection } from '#libs/kernel/projection.js';
import { formatProjectionVersion } from './build-name.js';
import { LEASE_MS } from './lease-keeper.js';

const LOOK_MS = 1 * SECOND_MS;

interface ProjectionShareParts {
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly groups: readonly (readonly Projection[])[];
  readonly me: string;
}

/** Divides the projections among the processes of the same version. Advisory: leases decide which process may write. */
export class ProjectionShare {
  private readonly members: Members;
  private assigned: ReadonlySet<string> = new Set();
  private lookedAt = -Infinity;

  constructor(private readonly parts: ProjectionShareParts) {
    const { coordination, clock, groups, me } = parts;
    const build = createHash('sha256').update(groups.flat().map(formatProjectionVersion).sort().join()).digest('hex');
    this.members = new Members(coordination, clock, { group: `projections/${build}`, member: me, ttlMs: LEASE_MS });
  }

  wants(name: string): boolean {
    return this.assigned.has(name);
  }

  async look(): Promise<void> {
    if (performance.now() - this.lookedAt < LOOK_MS) return;
    const { me, groups } = this.parts;
    const all = await this.members.join().catch(() => null);
    this.lookedAt = performance.now();
    if (all) this.assigned = new Set(assignGroups(me, all, groups).flat().map(formatProjectionVersion));
  }

  async leave(): Promise<void> {
    await this.members.leave().catch(() => undefined);
  }
}

/**
 * Rendezvous hashing with equal shares: each group goes to the heaviest member that has room. All processes compute the
 * same assignment.
 */
export function assignGroups<G extends readonly Projection[]>(
  me: string,
  members: readonly string[],
  groups: readonly G[],
): G[] {
  const groupCounts = new Map(members.map(name => [name, 0]));
  const assigned: G[] = [];
  for (const [at, group] of groups.entries()) {
    const share = Math.floor(at / members.length);
    const free = members.filter(name => groupCounts.get(name)! <= share);
    const groupName = formatProjectionVersion(group[0]!);
    const heaviest = free.reduce(
      (a, b) => (rendezvousWeight(b, groupName) > rendezvousWeight(a, groupName) ? b : a),
      free[0]!,
    );
    groupCounts.set(heaviest, groupCounts.get(heaviest)! + 1);
    if (heaviest === me) assigned.push(group);
  }
  return assigned;
}
