import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';
import type { CommitBatch } from './document-store.port.js';

type Document = CommitBatch['documents'][number];

export type WritableDocument = Omit<Document, 'body'> & { readonly body: Document['body'] | string };

/** Runs inside the caller's transaction. */
export class BuildWriter {
  private readonly builds = new Map<string, { readonly put: Statement<never>; readonly remove: Statement<never> }>();

  constructor(private readonly writer: Sqlite) {}

  write(build: string, { id, position, body }: WritableDocument): void {
    const { put, remove } = this.statements(build);
    if (body === null) remove.run(id, position);
    else put.run(id, position, typeof body === 'string' ? body : JSON.stringify(body));
  }

  forget(build: string): void {
    this.builds.delete(build);
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
