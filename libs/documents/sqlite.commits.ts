import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { formatProjectionVersion } from './build-name.js';
import { basisKey, type CommitBasis } from './checkpoints.js';
import { type CommitBatch, CommitConflict, type Lease } from './document-store.port.js';
import type { BuildWriter } from './sqlite.build-writer.js';
import { liveCheckpoints, type SqliteCheckpoints } from './sqlite.checkpoints.js';
import type { SqliteLeases } from './sqlite.leases.js';

type BuildNames = readonly string[];

/**
 * Each commit is a transaction. A writer's later commits reuse the state that its first one read, see `CommitBasis`.
 */
export class SqliteCommits {
  private basis: CommitBasis<BuildNames> | null = null;
  /** Checkpoints of all live builds. Call inside a write. */
  readonly live;
  private readonly changed;

  constructor(
    private readonly writer: Sqlite,
    private readonly parts: {
      readonly checkpoints: SqliteCheckpoints;
      readonly leases: SqliteLeases;
      readonly writing: BuildWriter;
    },
  ) {
    this.live = liveCheckpoints(writer);
    this.changed = writer.prepare('UPDATE changes SET count = count + 1');
  }

  async run(batches: readonly CommitBatch[], leases: readonly Lease[]): Promise<void> {
    const key = basisKey(batches, leases);
    const basis = await this.writer.writeWhenUnlocked(() => {
      const { live, shared } = this.resume(key, batches) ?? this.look(batches, leases);
      for (const [index, { documents }] of batches.entries())
        for (const document of documents) this.parts.writing.write(live[index]!, document);
      if (batches.some(({ documents }) => documents.length > 0)) this.changed.run();
      return shared !== null && key !== null ? { key, live, shared } : null;
    });
    if (basis) this.basis = basis;
  }

  private resume(key: string | null, batches: readonly CommitBatch[]): CommitBasis<BuildNames> | null {
    const { basis } = this;
    if (!basis || basis.key !== key) return null;
    const [{ from, to }] = batches as readonly [CommitBatch];
    return this.parts.checkpoints.moveShared(basis.shared, from, to) ? basis : null;
  }

  private look(batches: readonly CommitBatch[], leases: readonly Lease[]) {
    for (const lease of leases) this.parts.leases.check(lease);
    const live = this.live();
    const steps = batches.map(({ projection, build: folded, from, to }) => {
      const checkpoint = live.get(formatProjectionVersion(projection));
      if (!checkpoint) throw new Error(`${formatProjectionVersion(projection)} was never opened.`);
      const { build, position } = checkpoint;
      if (position !== from) throw new CommitConflict(`${build} is at ${position}, not at ${from}.`);
      if ((folded ?? build) !== build) throw new CommitConflict(`${build} has replaced ${folded}.`);
      return { checkpoint, to };
    });
    return { live: steps.map(({ checkpoint }) => checkpoint.build), shared: this.parts.checkpoints.move(steps) };
  }
}
