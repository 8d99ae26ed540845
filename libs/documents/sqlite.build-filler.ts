import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import type { BuildFiller, FillBatch, RenewLease } from './builds.port.js';
import { CommitConflict } from './document-store.port.js';
import type { Lease } from './document-store.port.js';
import type { BuildWriter, WritableDocument } from './sqlite.build-writer.js';
import type { SqliteLeases } from './sqlite.leases.js';

/** Approximate duration of a write transaction, which blocks other processes. */
export const GENTLE_STEP_MS = 6;
const STEP_ALONE_MS = 100;

export type SqliteFillBatch = Omit<FillBatch, 'documents'> & { readonly documents: readonly WritableDocument[] };

export class SqliteBuildFiller implements BuildFiller {
  private readonly move;

  constructor(
    private readonly writer: Sqlite,
    private readonly leases: Pick<SqliteLeases, 'check'>,
    private readonly writing: BuildWriter,
  ) {
    this.move = writer.prepare('UPDATE checkpoints SET position = ?3 WHERE build = ?1 AND position = ?2');
  }

  async fill({ name }: { readonly name: string }, filling: SqliteFillBatch, keep: RenewLease): Promise<void> {
    const { documents, from, to, isGentle } = filling;
    for (let at = 0; at < documents.length;) {
      const lease = await keep();
      const began = performance.now();
      const end = began + (isGentle ? GENTLE_STEP_MS : STEP_ALONE_MS);
      at = this.writer.write(() => this.step(name, documents, at, { lease, end }));
      // Pauses as long as the step took, so that processes polling for the lock get it.
      await (isGentle ? pause(performance.now() - began) : turn());
    }
    const lease = await keep();
    this.writer.write(() => {
      this.leases.check(lease);
      if (this.move.run(name, from, to) === 0) throw new CommitConflict(`${name} is not at ${from}.`);
    });
  }

  private step(
    build: string,
    documents: readonly WritableDocument[],
    from: number,
    { lease, end }: { readonly lease: Lease; readonly end: number },
  ): number {
    this.leases.check(lease);
    let at = from;
    do this.writing.write(build, documents[at++]!);
    while (at < documents.length && performance.now() < end);
    return at;
  }
}
