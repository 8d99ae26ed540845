import { Injectable } from '@nestjs/common';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { type Place } from '#libs/features/inbox/views/inbox-places.js';
import { GIVE_UP_MS, nextAttemptAt, parseRetryAfter } from './webhook-retries.js';
import { type AttemptOutcome, WebhookDelivery } from './delivery.js';
import type { WebhookMessage } from './forms.js';
import { NO_FAILURES, type PendingDelivery, type WebhookQueue } from './webhook-queue.js';
import { type StopReason, WebhookEndings } from './webhook-endings.js';
import { endOfPosition, WebhookOutbox } from './webhook-outbox.js';

/** How many messages one receiver is sent before others have their turn. */
const MESSAGES_MAX = 10;

/** When a receiver is tried whose host is busy with others. */
const BUSY_MS = 1 * SECOND_MS;

const isSamePlace = (one: Place, other: Place) => one.since === other.since && one.name === other.name;

export interface DeliveryBatchOptions {
  readonly queue: WebhookQueue;
  /** Whether a host may be sent to now. */
  readonly canSendTo: (entry: PendingDelivery, host: string) => boolean;
  /** Whether it is to go on. */
  readonly isActive: () => boolean;
  /** Is told of every attempt; `tookMs` by the machine's clock. */
  readonly onOutcome: (entry: PendingDelivery, kind: AttemptOutcome['kind'], tookMs: number) => void;
}

/** Tells one receiver what waits for it, one message after the other, until one fails or it was told enough. */
@Injectable()
export class DeliveryBatch {
  constructor(
    private readonly delivery: WebhookDelivery,
    private readonly outbox: WebhookOutbox,
    private readonly endings: WebhookEndings,
    private readonly clock: Clock,
  ) {}

  /** Answers whether it was told enough for now, and more may wait. */
  async run(first: PendingDelivery, options: DeliveryBatchOptions): Promise<boolean> {
    let entry: PendingDelivery | null = first;
    for (let sent = 0; entry && sent < MESSAGES_MAX && options.isActive();) {
      const { muse, webhook, after, upto }: PendingDelivery = entry;
      const hook = await this.delivery.findHook(muse, webhook);
      if (!hook) {
        options.queue.remove(entry);
        return false;
      }
      if (!options.canSendTo(entry, new URL(hook.url!).host)) {
        options.queue.update(entry, { due: this.clock.now() + BUSY_MS });
        return false;
      }
      const { messages: told, reached } = await this.outbox.readAfter(muse, hook, after, upto, MESSAGES_MAX);
      // A page without messages counts too, so that a long way through the log is gone in turns.
      sent += told.length === 0 ? 1 : 0;
      for (const each of told) {
        if (!entry || !options.isActive()) return false;
        entry = await this.deliverMessage(entry, each, options);
        sent += 1;
      }
      entry = entry && this.advance(entry, reached, upto, options.queue);
    }
    return entry !== null && options.isActive();
  }

  /** Everything up to a place was told; where nothing more can stand for it, it waits for nothing. */
  private advance(entry: PendingDelivery, reached: Place, upto: string, queue: WebhookQueue): PendingDelivery | null {
    const left = queue.update(entry, { after: { since: reached.since, name: reached.name } });
    if (!left || left.upto !== upto || !isSamePlace(reached, endOfPosition(upto))) return left;
    queue.remove(left);
    return null;
  }

  /** Null where the turn is over. */
  private async deliverMessage(
    entry: PendingDelivery,
    told: WebhookMessage,
    { queue, onOutcome }: DeliveryBatchOptions,
  ): Promise<PendingDelivery | null> {
    const { muse, webhook, anew } = entry;
    const passed = { after: { since: told.since, name: told.name }, ...NO_FAILURES };
    if (anew && told.at < this.clock.now() - GIVE_UP_MS) return queue.update(entry, passed);
    const began = performance.now();
    const outcome = await this.delivery.attempt(muse, webhook, told);
    onOutcome(entry, outcome.kind, performance.now() - began);
    switch (outcome.kind) {
      case 'delivered':
        return outcome.isLast ? this.stop(entry, 'removed', told, queue) : queue.update(entry, passed);
      case 'nothing':
        return queue.update(entry, passed);
      case 'failed':
        return this.recordFailure(entry, told, outcome, queue);
      case 'gone':
        return this.stop(entry, 'gone', told, queue);
      case 'ended':
        queue.remove(entry);
        return null;
      case 'closed':
        return null;
    }
  }

  private async recordFailure(
    entry: PendingDelivery,
    told: WebhookMessage,
    { status, reason, retryAfter }: Extract<AttemptOutcome, { kind: 'failed' }>,
    queue: WebhookQueue,
  ): Promise<null> {
    const now = this.clock.now();
    const failures = entry.failures + 1;
    const since = entry.failing_since ?? now;
    const asked = parseRetryAfter(retryAfter, now);
    const due = nextAttemptAt({ failures, since, now, retryAfterMs: asked, chance: Math.random() });
    if (due === null) return this.stop(entry, 'given_up', told, queue);
    queue.update(entry, { failures, failing_since: since, failed: { status, reason }, due });
    return null;
  }

  private async stop(
    entry: PendingDelivery,
    reason: StopReason,
    told: WebhookMessage,
    queue: WebhookQueue,
  ): Promise<null> {
    await this.endings.stop(entry.muse, entry.webhook, reason, told.name);
    queue.remove(entry);
    return null;
  }
}
