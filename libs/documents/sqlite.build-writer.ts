import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';
import type { BuildFiller, FillBatch, RenewLease } from './builds.port.js';
import { CommitConflict, type FoldedDocument, type Lease } from './document-store.port.js';
import type { SqliteLeases } from './sqlite.leases.js';

/** Approximate duration of a write transaction, which blocks other processes. */
export const GENTLE_STEP_MS = 6;
const STEP_ALONE_MS = 100;

type WritableDocument = Omit<FoldedDocument, 'body'> & { readonly body: FoldedDocument['body'] | string };

export type SqliteFillBatch = Omit<FillBatch, 'documents'> & { readonly documents: readonly WritableDocument[] };

export class BuildWriter implements BuildFiller {
  private readonly builds = new Map<string, { readonly put: Statement<never>; readonly remove: Statement<never> }>();
  private readonly move;

  constructor(
    private readonly writer: Sqlite,
    private readonly leases: Pick<SqliteLeases, 'check'>,
  ) {
    this.move = writer.prepare('UPDATE checkpoints SET position = ?3 WHERE build = ?1 AND position = ?2');
  }

  /** Runs inside the caller's transaction. */
  write(build: string, { id, position, body }: WritableDocument): void {
    const { put, remove } = this.statements(build);
    if (body === null) remove.run(id, position);
    else put.run(id, position, typeof body === 'string' ? body : JSON.stringify(body));
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

  forget(build: string): void {
    this.builds.delete(build);
  }

  private step(
    build: string,
    documents: readonly WritableDocument[],
    from: number,
    { lease, end }: { readonly lease: Lease; readonly end: number },
  ): number {
    this.leases.check(lease);
    let at = from;
    do this.write(build, documents[at++]!);
    while (at < documents.length && performance.now() < end);
    return at;
  }

  private statements(build: string) {
    const cached = this.builds.get(build);
    if (cached) return cached;
    const statements = {
      put: this.writer.prepare(
        `INSERT INTO "${build}" (id, position, body) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
          SET position = excluded.position, body = excluded.body WHERE excluded.position > "${build}".position`,
      ),
      remove: this.writer.prepare(`DELETE FROM "${build}" WHERE id = ? AND position < ?`),
    };
    this.builds.set(build, statements);
    return statements;
  }
}
