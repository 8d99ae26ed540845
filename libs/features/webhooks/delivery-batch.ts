import { Injectable } from '@nestjs/common';
import { Clock, SECOND_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { type Place } from '#libs/features/inbox/views/inbox-places.js';
import { GIVE_UP_MS, nextAttemptAt, parseRetryAfter } from './webhook-retries.js';
import { type AttemptOutcome, WebhookDelivery } from './delivery.js';
import type { WebhookMessage } from './forms.js';
import { NO_FAILURES, type PendingDelivery, type WebhookQueue } from './webhook-queue.js';
import { type StopReason, WebhookEndings } from './webhook-endings.js';
import { endOfPosition, WebhookOutbox } from './webhook-outbox.js';

const MESSAGES_MAX = 10;

const BUSY_MS = 1 * SECOND_MS;

const isSamePlace = (one: Place, other: Place) => one.since === other.since && one.name === other.name;

export interface DeliveryBatchOptions {
  readonly queue: WebhookQueue;
  readonly canSendTo: (entry: PendingDelivery, host: string) => boolean;
  readonly isActive: () => boolean;
  readonly onOutcome: (entry: PendingDelivery, kind: AttemptOutcome['kind'], tookMs: number) => void;
}

@Injectable()
export class DeliveryBatch {
  constructor(
    private readonly delivery: WebhookDelivery,
    private readonly outbox: WebhookOutbox,
    private readonly endings: WebhookEndings,
    private readonly clock: Clock,
  ) {}

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
      const { messages, reached } = await this.outbox.readAfter(muse, hook, after, upto, MESSAGES_MAX);
      // Count empty pages too, so that other receivers get a turn during a long search.
      sent += messages.length === 0 ? 1 : 0;
      for (const message of messages) {
        if (!entry || !options.isActive()) return false;
        entry = await this.deliverMessage(entry, message, options);
        sent += 1;
      }
      entry = entry && this.advance(entry, reached, upto, options.queue);
    }
    return entry !== null && options.isActive();
  }

  private advance(entry: PendingDelivery, reached: Place, upto: string, queue: WebhookQueue): PendingDelivery | null {
    const next = queue.update(entry, { after: { since: reached.since, name: reached.name } });
    if (!next || next.upto !== upto || !isSamePlace(reached, endOfPosition(upto))) return next;
    queue.remove(next);
    return null;
  }

  private async deliverMessage(
    entry: PendingDelivery,
    message: WebhookMessage,
    { queue, onOutcome }: DeliveryBatchOptions,
  ): Promise<PendingDelivery | null> {
    const { muse, webhook, anew } = entry;
    const passed = { after: { since: message.since, name: message.name }, ...NO_FAILURES };
    if (anew && message.at < this.clock.now() - GIVE_UP_MS) return queue.update(entry, passed);
    const began = performance.now();
    const outcome = await this.delivery.attempt(muse, webhook, message);
    onOutcome(entry, outcome.kind, performance.now() - began);
    switch (outcome.kind) {
      case 'delivered':
        return outcome.isLast ? this.stop(entry, 'removed', message, queue) : queue.update(entry, passed);
      case 'nothing':
        return queue.update(entry, passed);
      case 'failed':
        return this.recordFailure(entry, message, outcome, queue);
      case 'gone':
        return this.stop(entry, 'gone', message, queue);
      case 'ended':
        queue.remove(entry);
        return null;
      case 'closed':
        return null;
    }
  }

  private async recordFailure(
    entry: PendingDelivery,
    message: WebhookMessage,
    { status, reason, retryAfter }: Extract<AttemptOutcome, { kind: 'failed' }>,
    queue: WebhookQueue,
  ): Promise<null> {
    const now = this.clock.now();
    const failures = entry.failures + 1;
    const since = entry.failing_since ?? now;
    const retryAfterMs = parseRetryAfter(retryAfter, now);
    const due = nextAttemptAt({ failures, since, now, retryAfterMs, chance: Math.random() });
    const hasJumped = this.clock.isSteady?.() === false;
    if (due === null && !hasJumped) return this.stop(entry, 'given_up', message, queue);
    queue.update(entry, { failures, failing_since: since, failed: { status, reason }, due: due ?? now + MINUTE_MS });
    return null;
  }

  private async stop(
    entry: PendingDelivery,
    reason: StopReason,
    message: WebhookMessage,
    queue: WebhookQueue,
  ): Promise<null> {
    await this.endings.stop(entry.muse, entry.webhook, reason, message.name);
    queue.remove(entry);
    return null;
  }
}
