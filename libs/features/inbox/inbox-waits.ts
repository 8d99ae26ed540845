import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { START, type Position } from '#libs/kernel/event.js';
import { Closings } from '#libs/views/closings.js';
import { InboxItems } from '#libs/views/inbox.js';
import { RoleSkills } from '#libs/views/role-skills.js';
import { INBOX_PROJECTIONS } from '#libs/views/inbox-items.js';

/** How often it is looked whether the documents have moved, while somebody waits. */
const LOOK_MS = 50;
/** How many new documents are looked at; where there are more, everybody looks for itself. */
const NEW_MAX = 500;

/** How many wait for one inbox, and in all. */
const OF_ONE_MAX = 4;
const WAITING_MAX = 5_000;
const RETRY_SECONDS = 5;

interface Waiting {
  readonly museId: string;
  readonly until: number;
  readonly wake: () => void;
}

/**
 * Those who wait for their inbox, in one process: one timer and one look at the documents for all of them, whoever they
 * are and however many.
 */
@Injectable()
export class InboxWaits implements OnModuleDestroy {
  private readonly waiting = new Set<Waiting>();
  private timer: NodeJS.Timeout | undefined;
  private seen: Position = START;

  constructor(private readonly models: ReadModels) {}

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    for (const { wake } of this.waiting) wake();
    this.waiting.clear();
  }

  /** Until something may have come for the muse behind a position, or the time is over. */
  async until(museId: string, behind: Position, leftMs: number, signal: AbortSignal): Promise<void> {
    this.assertPlace(museId);
    if (this.waiting.size === 0 || behind < this.seen) this.seen = behind;
    await new Promise<void>(resolve => {
      const waiting: Waiting = { museId, until: Date.now() + leftMs, wake: resolve };
      this.waiting.add(waiting);
      signal.addEventListener('abort', () => this.end(waiting), { once: true });
      if (signal.aborted) this.end(waiting);
      this.start();
    });
  }

  private assertPlace(museId: string): void {
    const own = [...this.waiting].filter(waiting => waiting.museId === museId).length;
    if (own < OF_ONE_MAX && this.waiting.size < WAITING_MAX) return;
    throw new Refusal('rate_limited', `At most ${OF_ONE_MAX} requests wait for one inbox at once.`, {
      retryAfter: RETRY_SECONDS,
      more: { limit: 'inbox_waits' },
    });
  }

  private start(): void {
    if (this.timer || this.waiting.size === 0) return;
    this.timer = setTimeout(() => {
      void this.look().finally(() => {
        this.timer = undefined;
        this.start();
      });
    }, LOOK_MS);
  }

  private async look(): Promise<void> {
    const now = Date.now();
    for (const waiting of this.waiting) if (waiting.until <= now) this.end(waiting);
    // Whoever waits looks for itself when its time is over: an outage of the documents is told there.
    const told = await this.told().catch(() => new Set<string>());
    for (const waiting of this.waiting) if (told === 'everybody' || told.has(waiting.museId)) this.end(waiting);
  }

  /** Whom something may have come for since the last look. */
  private async told(): Promise<ReadonlySet<string> | 'everybody'> {
    const position = await this.models.position(...INBOX_PROJECTIONS);
    if (position <= this.seen) return new Set();
    const range = { index: 'bySince', equals: [], order: 'asc', after: [this.seen, '\uffff'] } as const;
    const [items, closings, roles] = await Promise.all([
      this.models.of(InboxItems).find({ ...range, limit: NEW_MAX }),
      this.models.of(Closings).find({ ...range, limit: 1 }),
      this.models.of(RoleSkills).find({ ...range, limit: 1 }),
    ]);
    this.seen = position;
    if (items.length === NEW_MAX || closings.length + roles.length > 0) return 'everybody';
    return new Set(items.map(({ body }) => body.muse));
  }

  private end(waiting: Waiting): void {
    if (this.waiting.delete(waiting)) waiting.wake();
  }
}
