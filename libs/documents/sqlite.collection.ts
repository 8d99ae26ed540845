import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection, StoredDocument } from '#libs/kernel/projection.js';
import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import type {
  Collection,
  TermIntersection,
  IntersectionPage,
  IndexRange,
  DocumentStamps,
} from './document-store.port.js';
import { BuildReader } from './sqlite.build-reader.js';

/** Reads the live build. Prepares statements on the first query, because tables may be created until then. */
export class SqliteCollection<D extends JsonObject> implements Collection<D> {
  private buildReader: BuildReader<D> | undefined;

  constructor(
    private readonly reader: Sqlite,
    readonly projection: Projection<D>,
    private name: string,
  ) {}

  get buildName(): string {
    return this.name;
  }

  private get build(): BuildReader<D> {
    return (this.buildReader ??= new BuildReader<D>(this.reader, this.name, this.projection.indexes));
  }

  follow(name: string): boolean {
    if (name === this.name) return false;
    this.name = name;
    this.buildReader = undefined;
    return true;
  }

  async get(id: string): Promise<StoredDocument<D> | undefined> {
    return this.build.get(id);
  }

  async getMany(ids: readonly string[]): Promise<StoredDocument<D>[]> {
    return this.build.getMany(ids);
  }

  async find(range: IndexRange): Promise<StoredDocument<D>[]> {
    return this.build.find(range);
  }

  async stamps(query: IndexRange | readonly string[]): Promise<DocumentStamps> {
    return { build: this.name, of: this.build.stamps(query) };
  }

  async intersect(query: TermIntersection): Promise<IntersectionPage<D>> {
    return this.build.intersect(query);
  }

  async scan(limit: number, after?: string): Promise<StoredDocument<D>[]> {
    return this.build.scan(limit, after);
  }

  async checkpoint(): Promise<Position> {
    return this.build.checkpoint();
  }
}
