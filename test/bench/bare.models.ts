import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { PROJECTIONS } from '#libs/features/projections.js';

/** The folds of the service, held in memory; each touched document is written once per commit. */
export class BareModels {
  private readonly kinds: readonly Kind[];
  private readonly byType = new Map<string, Kind[]>();

  constructor(database: DatabaseSyncInstance) {
    this.kinds = PROJECTIONS.map(projection => new Kind(projection, database));
    for (const kind of this.kinds)
      for (const type of kind.projection.types) this.byType.set(type, [...(this.byType.get(type) ?? []), kind]);
  }

  add(event: Event): void {
    for (const kind of this.byType.get(event.type) ?? []) kind.add(event);
  }

  write(): void {
    for (const kind of this.kinds) kind.write();
  }

  fold(events: readonly Event[]): void {
    events.forEach(event => this.add(event));
    this.write();
  }
}

class Kind {
  private readonly documents = new Map<string, JsonObject>();
  private readonly touched = new Set<string>();
  private readonly put;
  private readonly fields: readonly string[];

  constructor(
    readonly projection: Projection,
    database: DatabaseSyncInstance,
  ) {
    const { name, indexes } = projection;
    this.fields = [...new Set(Object.values(indexes).flat())];
    const columns = this.fields.map(field => `"f_${field}"`);
    database.exec(`CREATE TABLE "d_${name}" (${['id TEXT PRIMARY KEY', 'body TEXT', ...columns].join()})`);
    for (const [index, fields] of Object.entries(indexes))
      database.exec(`CREATE INDEX "d_${name}_${index}" ON "d_${name}" (${fields.map(field => `"f_${field}"`).join()})`);
    const values = ['id', 'body', ...columns].map(() => '?').join();
    this.put = database.prepare(`INSERT OR REPLACE INTO "d_${name}" VALUES (${values})`);
  }

  add(event: Event): void {
    for (const id of this.projection.keys(event)) {
      const body = this.projection.evolve(this.documents.get(id), event, id);
      if (body === null) continue;
      this.documents.set(id, body);
      this.touched.add(id);
    }
  }

  write(): void {
    for (const id of this.touched) {
      const body = this.documents.get(id)!;
      const indexed = this.fields.map(field => scalar(body[field]));
      this.put.run(id, JSON.stringify(body), ...indexed);
    }
    this.touched.clear();
  }
}

const scalar = (value: unknown) => (typeof value === 'boolean' ? Number(value) : (value ?? null));
