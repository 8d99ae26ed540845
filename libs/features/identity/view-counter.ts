import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { Views, ViewsCounted } from './domain/views.js';
import { unreplayableDecision } from '#libs/endpoints/decision.js';
import { ServiceCommands } from '#libs/endpoints/service-commands.js';

/** Maximum number of profiles in one event. Reads of further profiles are not counted until it is written. */
export const PROFILES_MAX = 5_000;

export const countViews = unreplayableDecision('count-views', {
  writes: [ViewsCounted],
  causes: ['views/<uuid>'],
  rule: 'Profile reads leave no trace in the log: only the service knows their number.',
});

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

  constructor(private readonly commands: ServiceCommands) {}

  count(museId: string): void {
    const { counts } = this;
    const count = counts.get(museId) ?? 0;
    if (count === 0 && counts.size === PROFILES_MAX) return;
    if (counts.size === 0) this.since = this.commands.clock.now();
    counts.set(museId, count + 1);
  }

  /** Writes the counts if the first is an hour old. Throws the errors of the log. */
  async pass(): Promise<void> {
    await this.write();
    if (this.counts.size > 0 && this.commands.clock.now() - this.since >= HOUR_MS) await this.flush();
  }

  /** Writes all counts. Throws the errors of the log. */
  async flush(): Promise<void> {
    await this.write();
    if (this.counts.size === 0) return;
    this.pendingBatch = {
      at: this.commands.clock.now(),
      key: `views/${randomUUID()}`,
      views: Object.fromEntries(this.counts),
    };
    this.counts.clear();
    await this.write();
  }

  private async write(): Promise<void> {
    if (!this.pendingBatch) return;
    const { at, key, views } = this.pendingBatch;
    const { journal } = this.commands;
    const context = this.commands.context(countViews, 'profiles were read', { at, cause: key });
    await executeCommand(journal, context, { writes: Views.source(at), decide: () => [ViewsCounted({ views })] });
    this.pendingBatch = null;
  }
}
