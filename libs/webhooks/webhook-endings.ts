import { Injectable } from '@nestjs/common';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { Clock } from '#libs/kernel/clock.js';
import { Integers } from '#libs/kernel/ids.js';
import type { Event } from '#libs/kernel/event.js';
import { becauseOf, serviceContext } from '#libs/kernel/decide.js';
import { Forgotten, Muse } from '#libs/domain/muse.js';
import { stopReasonOf, findHook, liveHooks, Webhooks, WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import { formatDecidedBy, serviceDecision, assertInStream, unreplayableDecision } from '#libs/endpoints/decision.js';
import { WebhookSecrets } from './webhook-secrets.js';

export function stoppedFacts(hooks: Webhooks, muse_id: string, muse: Muse) {
  return liveHooks(hooks).flatMap(hook => {
    const reason = stopReasonOf(hook, muse);
    return reason === null ? [] : [WebhookStopped({ webhook: hook.webhook, muse_id, reason })];
  });
}

export const endWebhooks = serviceDecision('end-webhooks', {
  by: 'service',
  writes: [WebhookStopped],
  decide({ event, own, read }) {
    const { muse_id } = event.data as ReturnType<typeof WebhookStopped>['data'];
    assertInStream(event, Webhooks.streamName(muse_id));
    return stoppedFacts(own(Webhooks), muse_id, read(Muse.source(muse_id)));
  },
});

export const stopWebhook = unreplayableDecision(
  'stop-webhook',
  [WebhookStopped],
  'A webhook stops if its receiver answers 410, if a message cannot be delivered for five days, or after it has ' +
    'delivered the end of the task that it follows.',
);

const STOP_REASON_TEXTS = {
  gone: 'the receiver answered 410',
  given_up: 'a message could not be delivered for five days',
  removed: 'the end of the task that it follows was delivered',
} as const;
export type StopReason = keyof typeof STOP_REASON_TEXTS;

@Injectable()
export class WebhookEndings {
  constructor(
    private readonly journal: Journal,
    private readonly integers: Integers,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /** Stops the webhooks that an event of their owner ends. Repeatable. */
  async stopEnded(muse: string, { id, type, at }: Pick<Event, 'id' | 'type' | 'at'>): Promise<void> {
    // The stream does not list removed or refused webhooks, but their secrets may remain.
    if (type === Forgotten.type) await this.secrets.destroyAll({ muse });
    const { state: hooks } = await this.journal.load(Webhooks.source(muse));
    if (hooks.length === 0) return;
    const context = becauseOf(id, 'webhooks', {
      at,
      decidedBy: formatDecidedBy(endWebhooks),
      reason: 'the key, token or account that created the webhook has ended',
      integers: this.integers,
    });
    await executeCommand(this.journal, context, {
      writes: Webhooks.source(muse),
      reads: { owner: Muse.source(muse) },
      decide: (current, { owner }) => stoppedFacts(current, muse, owner),
    });
  }

  async stop(muse: string, webhook: number, reason: StopReason, message: string): Promise<void> {
    const context = serviceContext({
      at: this.clock.now(),
      requestKey: `webhook/${webhook}/${message}/${reason}`,
      cause: message,
      decidedBy: formatDecidedBy(stopWebhook),
      reason: STOP_REASON_TEXTS[reason],
      integers: this.integers,
    });
    await executeCommand(this.journal, context, {
      writes: Webhooks.source(muse),
      decide: hooks =>
        findHook(hooks, webhook)?.stopped === null ? [WebhookStopped({ webhook, muse_id: muse, reason })] : [],
    });
  }
}
