import { START } from '#libs/kernel/event.js';
import type { Position } from '#libs/kernel/event.js';
import type { Sqlite } from '#libs/sqlite/open.js';
import { liveId } from './build-name.js';
import { type Known, knownAs, type Standing } from './places.js';
import { type Batch, CommitConflict, type Lease } from './port.js';
import type { BuildWriter } from './sqlite.build-writer.js';
import type { SqliteLeases } from './sqlite.leases.js';
import type { SqlitePlaces } from './sqlite.places.js';

/** The names of builds, in the order of the batches that are written into them. */
type Builds = readonly string[];

/** Commits, each one transaction. What the first of a writer has looked at the next one knows: see `Known`. */
export class SqliteCommits {
  private known: Known<Builds> | null = null;
  private readonly all;
  private readonly changed;

  constructor(
    private readonly writer: Sqlite,
    private readonly parts: {
      readonly places: SqlitePlaces;
      readonly leases: SqliteLeases;
      readonly writing: BuildWriter;
    },
  ) {
    this.all = writer.prepare<
      [projection: string, build: string, Position | null, place: string | null, stopped: string | null]
    >("SELECT projection || '@' || version, build, position, place, stopped FROM live LEFT JOIN reached USING (build)");
    this.changed = writer.prepare('UPDATE changes SET count = count + 1');
  }

  async run(batches: readonly Batch[], leases: readonly Lease[]): Promise<void> {
    const key = knownAs(batches, leases);
    const found = await this.writer.writeOnceFree(() => {
      const known = this.goOn(key, batches);
      const { builds, settled } = known ? { builds: known.live, settled: known } : this.look(batches, leases);
      for (const [index, { documents }] of batches.entries())
        for (const document of documents) this.parts.writing.write(builds[index]!, document);
      if (batches.some(({ documents }) => documents.length > 0)) this.changed.run();
      return settled && key !== null ? { ...settled, key, live: builds } : null;
    });
    if (found) this.known = found;
  }

  /** The live builds and where they stand, by name and version of their projections. */
  live(): Map<string, Standing> {
    const rows = this.all.all();
    return new Map(
      rows.map(([id, build, position, place, stopped]) => [id, { build, position: position ?? START, place, stopped }]),
    );
  }

  private goOn(key: string | null, batches: readonly Batch[]): Known<Builds> | null {
    const { known } = this;
    if (!known || known.key !== key) return null;
    const [{ from, to }] = batches as readonly [Batch];
    return this.parts.places.moveAll(known, from, to) ? known : null;
  }

  private look(batches: readonly Batch[], leases: readonly Lease[]) {
    for (const lease of leases) this.parts.leases.check(lease);
    const live = this.live();
    const steps = batches.map(({ projection, from, to }) => {
      const standing = live.get(liveId(projection));
      if (!standing) throw new Error(`${liveId(projection)} was never opened.`);
      const { build, position } = standing;
      if (position !== from) throw new CommitConflict(`${build} is at ${position}, not at ${from}.`);
      return { standing, to };
    });
    return { builds: steps.map(({ standing }) => standing.build), settled: this.parts.places.move(steps) };
  }
}
