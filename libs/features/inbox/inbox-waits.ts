import { Injectable } from '@nestjs/common';
import { AFTER_ALL_IDS } from '#libs/documents/index-range.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { ShutdownSignal } from '#libs/http/shutdown-signal.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { LOG_START, type Position } from '#libs/kernel/event.js';
import { INBOX_WAITS } from '#libs/platform/limits/general-limits.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import { Closings } from '#libs/features/jobs/views/closings.js';
import { InboxItems } from '#libs/features/inbox/views/inbox.js';
import { RoleSkills } from '#libs/features/jobs/views/role-skills.js';
import { INBOX_PROJECTIONS } from '#libs/features/inbox/views/inbox-items.js';

/** How often it is looked at least whether the documents have moved, while somebody waits: who folds elsewhere tells nobody. */
const POLL_MS = 50;
/** How many new documents are looked at; where there are more, everybody looks for itself. */
const NEW_DOCUMENTS_MAX = 500;

/** How many wait for all inboxes, in one process. */
const WAITING_MAX = 5_000;
const RETRY_SECONDS = 5;

interface InboxWait {
  readonly until: number;
  readonly wake: () => void;
}

/**
 * Those who wait for their inbox, in one process: one look at the documents for all of them, whoever they are and
 * however many, whenever these have moved.
 */
@Injectable()
export class InboxWaits {
  private readonly waiting = new Map<string, Set<InboxWait>>();
  private count = 0;
  private isLooking = false;
  private seen: Position = LOG_START;

  constructor(
    private readonly models: ReadModels,
    private readonly limits: LimitTable,
    private readonly stop: ShutdownSignal,
  ) {
    stop.signal.addEventListener('abort', () => this.wake(this.waiting.keys()), { once: true });
  }

  /** Nothing is waited for while the service stops. */
  get isStopping(): boolean {
    return this.stop.signal.aborted;
  }

  /** Until something may have come for the muse behind a position, or the time is over. */
  async waitFor(museId: string, behind: Position, leftMs: number, signal: AbortSignal): Promise<void> {
    this.assertCapacity(museId);
    if (this.count === 0 || behind < this.seen) this.seen = behind;
    await new Promise<void>(resolve => {
      const waiting: InboxWait = { until: Date.now() + leftMs, wake: resolve };
      this.begin(museId, waiting);
      signal.addEventListener('abort', () => this.end(museId, waiting), { once: true });
      if (signal.aborted) this.end(museId, waiting);
      this.start();
    });
  }

  private assertCapacity(museId: string): void {
    const own = this.waiting.get(museId)?.size ?? 0;
    const max = this.limits.concurrencyMax(INBOX_WAITS);
    if (own < max && this.count < WAITING_MAX) return;
    throw new Refusal('rate_limited', `At most ${max} requests wait for one inbox at once.`, {
      retryAfter: RETRY_SECONDS,
      more: { limit: INBOX_WAITS.name },
    });
  }

  private start(): void {
    if (!this.isLooking) void this.keepLooking();
  }

  private async keepLooking(): Promise<void> {
    this.isLooking = true;
    while (this.count > 0) {
      await this.models.nextMove(POLL_MS);
      await this.look();
    }
    this.isLooking = false;
  }

  private async look(): Promise<void> {
    this.wake(this.waiting.keys(), Date.now());
    // Whoever waits looks for itself when its time is over: an outage of the documents is told there.
    const told = await this.findNotified().catch(() => []);
    this.wake(told === 'everybody' ? this.waiting.keys() : told);
  }

  /** Whom something may have come for since the last look. */
  private async findNotified(): Promise<readonly string[] | 'everybody'> {
    const position = await this.models.position(...INBOX_PROJECTIONS);
    if (position <= this.seen) return [];
    const range = { index: 'bySince', equals: [], order: 'asc', after: [this.seen, AFTER_ALL_IDS] } as const;
    const [items, closings, roles] = await Promise.all([
      this.models.of(InboxItems).find({ ...range, limit: NEW_DOCUMENTS_MAX }),
      this.models.of(Closings).find({ ...range, limit: 1 }),
      this.models.of(RoleSkills).find({ ...range, limit: 1 }),
    ]);
    this.seen = position;
    if (items.length === NEW_DOCUMENTS_MAX || closings.length + roles.length > 0) return 'everybody';
    return items.map(({ body }) => body.muse);
  }

  private begin(museId: string, waiting: InboxWait): void {
    const others = this.waiting.get(museId);
    if (others) others.add(waiting);
    else this.waiting.set(museId, new Set([waiting]));
    this.count += 1;
  }

  private end(museId: string, waiting: InboxWait): void {
    const all = this.waiting.get(museId);
    if (!all?.delete(waiting)) return;
    if (all.size === 0) this.waiting.delete(museId);
    this.count -= 1;
    waiting.wake();
  }

  /** Those who wait for one of these inboxes; with a time, only those who wait no longer than that. */
  private wake(museIds: Iterable<string>, until = Infinity): void {
    for (const museId of museIds)
      for (const waiting of this.waiting.get(museId) ?? []) if (waiting.until <= until) this.end(museId, waiting);
  }
}
