import type { Sqlite, Statement } from '#libs/platform/sqlite/sqlite.js';
import type { CommitBatch } from './document-store.port.js';

type Document = CommitBatch['documents'][number];

/** As one commits it, or with its body as JSON already. */
export type WritableDocument = Omit<Document, 'body'> & { readonly body: Document['body'] | string };

/** Writes documents into builds, inside the caller's transaction. A pair of statements per build, prepared once. */
export class BuildWriter {
  private readonly builds = new Map<string, { readonly put: Statement<never>; readonly remove: Statement<never> }>();

  constructor(private readonly writer: Sqlite) {}

  /** What has been seen already is skipped. */
  write(build: string, { id, position, body }: WritableDocument): void {
    // SQLite hands a text out up to its first NUL; in the body, which is JSON, that character is an escape.
    if (id.includes('\0')) throw new Error('The id of a document holds a NUL character.');
    const { put, remove } = this.statements(build);
    if (body === null) remove.run(id, position);
    else put.run(id, position, typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Of a build that is dropped. */
  forget(build: string): void {
    this.builds.delete(build);
  }

  private statements(build: string) {
    const known = this.builds.get(build);
    if (known) return known;
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
