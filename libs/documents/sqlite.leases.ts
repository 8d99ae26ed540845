import type { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { CommitConflict, type Lease } from './document-store.port.js';
import type { SqliteCheckpoints } from './sqlite.checkpoints.js';
import type { LeaseEnd } from './build-name.js';

type LeaseRequest = [holder: string, ttlMs: number, now: number];
type Row = [holder: string | null, epoch: number, expiresAt: number];

const NEW: Row = [null, 1, 0];

/** A released lease has no holder and the next holder's epoch. */
export class SqliteLeases {
  private readonly find;
  private readonly all;
  private readonly put;
  private readonly free;

  constructor(
    private readonly writer: Sqlite,
    private readonly checkpoints: Pick<SqliteCheckpoints, 'dissolve'>,
  ) {
    this.find = writer.prepare<Row>('SELECT holder, epoch, expires_at FROM leases WHERE name = ?');
    this.all = writer.prepare<[name: string, expiresAt: number]>('SELECT name, expires_at FROM leases');
    this.put = writer.prepare(
      `INSERT INTO leases (name, holder, epoch, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
        SET holder = excluded.holder, epoch = excluded.epoch, expires_at = excluded.expires_at`,
    );
    this.free = writer.prepare(
      'UPDATE leases SET holder = NULL, epoch = epoch + 1 WHERE name = ? AND epoch = ? AND holder IS NOT NULL',
    );
  }

  take(names: readonly string[], ...request: LeaseRequest): Promise<Lease[]> {
    return this.writer.writeWhenUnlocked(() => names.flatMap(name => this.takeOne(name, ...request) ?? []));
  }

  seize(name: string, holder: string, ttlMs: number, now: number): Promise<Lease> {
    return this.writer.writeWhenUnlocked(() => {
      const [current, last] = this.find.one(name) ?? NEW;
      const lease = { name, epoch: current === null ? last : last + 1 };
      this.put.run(name, holder, lease.epoch, now + ttlMs);
      this.checkpoints.dissolve();
      return lease;
    });
  }

  release({ name, epoch }: Lease): void {
    if (this.free.run(name, epoch) > 0) this.checkpoints.dissolve();
  }

  ends(): LeaseEnd[] {
    return this.all.all().map(([name, endsAt]) => ({ name, endsAt }));
  }

  private takeOne(name: string, ...[holder, ttlMs, now]: LeaseRequest): Lease | null {
    const [current, epoch, expiresAt] = this.find.one(name) ?? NEW;
    const isTakeover = current !== null && current !== holder;
    if (isTakeover && expiresAt > now) return null;
    const lease = { name, epoch: isTakeover ? epoch + 1 : epoch };
    this.put.run(name, holder, lease.epoch, now + ttlMs);
    if (isTakeover) this.checkpoints.dissolve();
    return lease;
  }

  check({ name, epoch }: Lease): void {
    const [holder, current] = this.find.one(name) ?? [null, 0];
    if (holder === null || current !== epoch) throw new CommitConflict(`The lease ${name} of epoch ${epoch} is gone.`);
  }
}
