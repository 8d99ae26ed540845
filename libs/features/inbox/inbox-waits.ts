import { Injectable } from '@nestjs/common';
import { AFTER_ALL_IDS } from '#libs/documents/index-range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { ShutdownSignal } from '#libs/http/long-responses.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { LOG_START, type Position } from '#libs/kernel/event.js';
import { INBOX_WAITS } from '#libs/platform/limits/general-limits.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import { Closings } from '#libs/features/jobs/views/closings.js';
import { InboxItems } from './views/inbox.js';
import { loadLinks } from '#libs/features/identity/views/linked-pairs.js';
import { RoleSkills } from '#libs/features/jobs/views/role-skills.js';
import { INBOX_PROJECTIONS } from './views/inbox-items.js';

/** Projections that run in another process do not wake this one, so it polls. */
const POLL_MS = 50;
/** With more new items than this, all waiting requests are woken. */
const NEW_DOCUMENTS_MAX = 500;

/** Maximum waiting requests per process, over all inboxes. */
const WAITING_MAX = 5_000;
const RETRY_SECONDS = 5;

interface InboxWait {
  readonly until: number;
  readonly wake: () => void;
}

/** Waiting requests of this process. One query per move of the projections serves all of them. */
@Injectable()
export class InboxWaits {
  private readonly waiting = new Map<string, Set<InboxWait>>();
  private count = 0;
  private isPolling = false;
  private seen: Position = LOG_START;

  constructor(
    private readonly models: ReadModels,
    private readonly limits: LimitTable,
    private readonly stop: ShutdownSignal,
  ) {
    stop.signal.addEventListener('abort', () => this.wake(this.waiting.keys()), { once: true });
  }

  get isStopping(): boolean {
    return this.stop.signal.aborted;
  }

  /** Resolves when an item after the position may have arrived, or the time is over. */
  async waitFor(museId: string, after: Position, leftMs: number, signal: AbortSignal): Promise<void> {
    this.assertCapacity(museId);
    if (this.count === 0 || after < this.seen) this.seen = after;
    await new Promise<void>(resolve => {
      const waiting: InboxWait = { until: Date.now() + leftMs, wake: resolve };
      this.begin(museId, waiting);
      signal.addEventListener('abort', () => this.end(museId, waiting), { once: true });
      if (signal.aborted) this.end(museId, waiting);
      this.start();
    });
  }

  private assertCapacity(museId: string): void {
    const museWaits = this.waiting.get(museId)?.size ?? 0;
    const max = this.limits.concurrencyMax(INBOX_WAITS);
    if (museWaits < max && this.count < WAITING_MAX) return;
    throw new Refusal('rate_limited', `At most ${max} requests can wait for one inbox at once. Retry later.`, {
      retryAfter: RETRY_SECONDS,
      more: { limit: INBOX_WAITS.name },
    });
  }

  private start(): void {
    if (!this.isPolling) void this.pollWhileWaiting();
  }

  private async pollWhileWaiting(): Promise<void> {
    this.isPolling = true;
    while (this.count > 0) {
      await this.models.nextMove(POLL_MS);
      await this.pollOnce();
    }
    this.isPolling = false;
  }

  private async pollOnce(): Promise<void> {
    this.wake(this.waiting.keys(), Date.now());
    // On a failed query each request only finds out when its own wait ends, and reports the outage then.
    const museIds = await this.findNotified().catch(() => []);
    this.wake(museIds === 'all' ? this.waiting.keys() : museIds);
  }

  private async findNotified(): Promise<readonly string[] | 'all'> {
    const position = await this.models.position(...INBOX_PROJECTIONS);
    if (position <= this.seen) return [];
    const range = { index: 'bySince', equals: [], order: 'asc', after: [this.seen, AFTER_ALL_IDS] } as const;
    const [items, closings, roles] = await Promise.all([
      this.models.of(InboxItems).find({ ...range, limit: NEW_DOCUMENTS_MAX }),
      this.models.of(Closings).find({ ...range, limit: 1 }),
      this.models.of(RoleSkills).find({ ...range, limit: 1 }),
    ]);
    this.seen = position;
    if (items.length === NEW_DOCUMENTS_MAX || closings.length + roles.length > 0) return 'all';
    const notified = items.map(({ body }) => body.muse);
    const links = await loadLinks(this.models, notified);
    return [...notified, ...links.map(({ later }) => later)];
  }

  private begin(museId: string, waiting: InboxWait): void {
    const waits = this.waiting.get(museId);
    if (waits) waits.add(waiting);
    else this.waiting.set(museId, new Set([waiting]));
    this.count += 1;
  }

  private end(museId: string, waiting: InboxWait): void {
    const waits = this.waiting.get(museId);
    if (!waits?.delete(waiting)) return;
    if (waits.size === 0) this.waiting.delete(museId);
    this.count -= 1;
    waiting.wake();
  }

  /** Ends the waits of these muses; with `until`, only those that end by then. */
  private wake(museIds: Iterable<string>, until = Infinity): void {
    for (const museId of museIds)
      for (const waiting of this.waiting.get(museId) ?? []) if (waiting.until <= until) this.end(museId, waiting);
  }
}
