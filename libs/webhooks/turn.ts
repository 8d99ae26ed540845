import { Injectable } from '@nestjs/common';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { type Place } from '#libs/features/inbox/views/inbox-places.js';
import { GIVEN_UP_MS, nextTry, retryAfterMs } from './back-off.js';
import { type Outcome, WebhookDelivery } from './delivery.js';
import type { Told } from './forms.js';
import { UNTRIED, type Waiting, type WebhookQueue } from './queue.js';
import { type StoppedByItself, WebhookEndings } from './stopping.js';
import { endOf, ToldTo } from './told.js';

/** How many messages one receiver is sent before others have their turn. */
const MESSAGES_MAX = 10;

/** When a receiver is tried whose host is busy with others. */
const BUSY_MS = 1 * SECOND_MS;

const isSame = (one: Place, other: Place) => one.since === other.since && one.name === other.name;

export interface TurnOptions {
  readonly queue: WebhookQueue;
  /** Whether a host may be sent to now. */
  readonly mayAsk: (entry: Waiting, host: string) => boolean;
  /** Whether it is to go on. */
  readonly goesOn: () => boolean;
  /** Is told of every attempt; `tookMs` by the machine's clock. */
  readonly onOutcome: (entry: Waiting, kind: Outcome['kind'], tookMs: number) => void;
}

/** Tells one receiver what waits for it, one message after the other, until one fails or it was told enough. */
@Injectable()
export class WebhookTurn {
  constructor(
    private readonly delivery: WebhookDelivery,
    private readonly toldTo: ToldTo,
    private readonly endings: WebhookEndings,
    private readonly clock: Clock,
  ) {}

  /** Answers whether it was told enough for now, and more may wait. */
  async run(first: Waiting, options: TurnOptions): Promise<boolean> {
    let entry: Waiting | null = first;
    for (let sent = 0; entry && sent < MESSAGES_MAX && options.goesOn();) {
      const { muse, webhook, after, upto }: Waiting = entry;
      const hook = await this.delivery.hook(muse, webhook);
      if (!hook) {
        options.queue.remove(entry);
        return false;
      }
      if (!options.mayAsk(entry, new URL(hook.url!).host)) {
        options.queue.change(entry, { due: this.clock.now() + BUSY_MS });
        return false;
      }
      const { told, reached } = await this.toldTo.behind(muse, hook, after, upto, MESSAGES_MAX);
      // A page without messages counts too, so that a long way through the log is gone in turns.
      sent += told.length === 0 ? 1 : 0;
      for (const each of told) {
        if (!entry || !options.goesOn()) return false;
        entry = await this.tell(entry, each, options);
        sent += 1;
      }
      entry = entry && this.passed(entry, reached, upto, options.queue);
    }
    return entry !== null && options.goesOn();
  }

  /** Everything up to a place was told; where nothing more can stand for it, it waits for nothing. */
  private passed(entry: Waiting, reached: Place, upto: string, queue: WebhookQueue): Waiting | null {
    const left = queue.change(entry, { after: { since: reached.since, name: reached.name } });
    if (!left || left.upto !== upto || !isSame(reached, endOf(upto))) return left;
    queue.remove(left);
    return null;
  }

  /** Null where the turn is over. */
  private async tell(entry: Waiting, told: Told, { queue, onOutcome }: TurnOptions): Promise<Waiting | null> {
    const { muse, webhook, anew } = entry;
    const passed = { after: { since: told.since, name: told.name }, ...UNTRIED };
    if (anew && told.at < this.clock.now() - GIVEN_UP_MS) return queue.change(entry, passed);
    const began = performance.now();
    const outcome = await this.delivery.attempt(muse, webhook, told);
    onOutcome(entry, outcome.kind, performance.now() - began);
    switch (outcome.kind) {
      case 'delivered':
        return outcome.isLast ? this.stop(entry, 'removed', told, queue) : queue.change(entry, passed);
      case 'nothing':
        return queue.change(entry, passed);
      case 'failed':
        return this.failed(entry, told, outcome, queue);
      case 'gone':
        return this.stop(entry, 'gone', told, queue);
      case 'ended':
        queue.remove(entry);
        return null;
      case 'closed':
        return null;
    }
  }

  private async failed(
    entry: Waiting,
    told: Told,
    { status, reason, retryAfter }: Extract<Outcome, { kind: 'failed' }>,
    queue: WebhookQueue,
  ): Promise<null> {
    const now = this.clock.now();
    const failures = entry.failures + 1;
    const since = entry.failing_since ?? now;
    const asked = retryAfterMs(retryAfter, now);
    const due = nextTry({ failures, since, now, retryAfterMs: asked, chance: Math.random() });
    if (due === null) return this.stop(entry, 'given_up', told, queue);
    queue.change(entry, { failures, failing_since: since, failed: { status, reason }, due });
    return null;
  }

  private async stop(entry: Waiting, reason: StoppedByItself, told: Told, queue: WebhookQueue): Promise<null> {
    await this.endings.stop(entry.muse, entry.webhook, reason, told.name);
    queue.remove(entry);
    return null;
  }
}
