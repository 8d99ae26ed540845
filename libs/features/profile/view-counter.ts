import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { Clock, HOUR_MS } from '#libs/kernel/clock.js';
import { Integers } from '#libs/kernel/ids.js';
import { serviceContext } from '#libs/kernel/decide.js';
import { Views, ViewsCounted } from '#libs/features/profile/domain/views.js';
import { formatDecidedBy, unreplayableDecision } from '#libs/endpoints/decision.js';

/** Maximum number of profiles in one event. Reads of further profiles are not counted until it is written. */
export const PROFILES_MAX = 5_000;

export const countViews = unreplayableDecision(
  'count-views',
  [ViewsCounted],
  'Profile reads leave no trace in the log: only the service knows their number.',
);

/** Every retry writes the same event, so that a batch counts once. */
interface ViewBatch {
  readonly at: number;
  readonly key: string;
  readonly views: { readonly [museId: string]: number };
}

/**
 * Counts profile reads in memory, and writes them at most once an hour and at shutdown. A killed process loses its
 * counts.
 */
@Injectable()
export class ViewCounter {
  private readonly counts = new Map<string, number>();
  /** Time of the first uncounted read, unix ms. */
  private since = 0;
  /** Sent to the log without confirmation yet. */
  private pendingBatch: ViewBatch | null = null;

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  count(museId: string): void {
    const { counts } = this;
    const count = counts.get(museId) ?? 0;
    if (count === 0 && counts.size === PROFILES_MAX) return;
    if (counts.size === 0) this.since = this.clock.now();
    counts.set(museId, count + 1);
  }

  /** Writes the counts if the first is an hour old. Throws the errors of the log. */
  async pass(): Promise<void> {
    await this.write();
    if (this.counts.size > 0 && this.clock.now() - this.since >= HOUR_MS) await this.flush();
  }

  /** Writes all counts. Throws the errors of the log. */
  async flush(): Promise<void> {
    await this.write();
    if (this.counts.size === 0) return;
    this.pendingBatch = { at: this.clock.now(), key: `views/${randomUUID()}`, views: Object.fromEntries(this.counts) };
    this.counts.clear();
    await this.write();
  }

  private async write(): Promise<void> {
    if (!this.pendingBatch) return;
    const { at, key, views } = this.pendingBatch;
    const context = serviceContext({
      at,
      requestKey: key,
      cause: key,
      decidedBy: formatDecidedBy(countViews),
      reason: 'profiles were read',
      integers: this.integers,
    });
    await executeCommand(this.journal, context, { writes: Views.source(at), decide: () => [ViewsCounted({ views })] });
    this.pendingBatch = null;
  }
}
