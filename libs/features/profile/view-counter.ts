import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { Clock, HOUR_MS } from '#libs/kernel/clock.js';
import { Integers } from '#libs/kernel/ids.js';
import { serviceContext } from '#libs/kernel/service-context.js';
import { Views, ViewsCounted } from '#libs/features/profile/domain/views.js';
import { formatDecidedBy, unreplayableDecision } from '#libs/endpoints/decision.js';

/** How many profiles one event counts: reads of further ones are not counted until it is written. */
export const COUNTED_MAX = 5_000;

export const countViews = unreplayableDecision(
  'count-views',
  [ViewsCounted],
  'How often a profile was read is the service’s word: a read leaves no other trace.',
);

/** What is to be written: the same event however often it is tried, so that it counts once. */
interface ViewBatch {
  readonly at: number;
  readonly key: string;
  readonly views: { readonly [museId: string]: number };
}

/**
 * Counts the reads of profiles in memory, and writes them down as one event an hour at most, and at an orderly end.
 * What a process had counted when it was killed is lost.
 */
@Injectable()
export class ViewCounter {
  private readonly counts = new Map<string, number>();
  /** When the first of them was counted, unix ms. */
  private since = 0;
  /** Given to the log, which has not said that it has it. */
  private pendingBatch: ViewBatch | null = null;

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  /** One read of a profile that is there. */
  count(museId: string): void {
    const { counts } = this;
    const before = counts.get(museId) ?? 0;
    if (before === 0 && counts.size === COUNTED_MAX) return;
    if (counts.size === 0) this.since = this.clock.now();
    counts.set(museId, before + 1);
  }

  /** Writes down what was counted, once that has gone on for an hour. Throws what the log throws. */
  async pass(): Promise<void> {
    await this.write();
    if (this.counts.size > 0 && this.clock.now() - this.since >= HOUR_MS) await this.flush();
  }

  /** Writes down what there is. Throws what the log throws. */
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
