import { Injectable } from '@nestjs/common';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { Clock } from '#libs/kernel/clock.js';
import { Integers } from '#libs/kernel/ids.js';
import type { Event } from '#libs/kernel/event.js';
import { becauseOf, serviceContext } from '#libs/kernel/service-context.js';
import { Forgotten, Muse } from '#libs/domain/muse.js';
import { stopReasonOf, findHook, liveHooks, Webhooks, WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import { formatDecidedBy, serviceDecision, assertInStream, unreplayableDecision } from '#libs/endpoints/decision.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** What has ended with what a muse had set it up with. */
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
  'A webhook stops when its receiver answers 410, when one message could not be delivered for five days, and when its ' +
    'receiver was told the end of the task that it follows.',
);

/** Why a hook stops without its owner. */
const STOP_REASON_TEXTS = {
  gone: 'its receiver answered 410',
  given_up: 'its receiver could not be reached for five days',
  removed: 'the end of the task that it follows was told',
} as const;
export type StopReason = keyof typeof STOP_REASON_TEXTS;

/** Ends webhooks: with what they were set up with, or because of their receivers. */
@Injectable()
export class WebhookEndings {
  constructor(
    private readonly journal: Journal,
    private readonly integers: Integers,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /** What follows for a muse's hooks from an event of its own. May be repeated. */
  async stopEnded(muse: string, { id, type, at }: Pick<Event, 'id' | 'type' | 'at'>): Promise<void> {
    // Whatever became of its hooks: of one that was refused or removed its stream knows nothing any more.
    if (type === Forgotten.type) await this.secrets.destroyAll({ muse });
    const { state: before } = await this.journal.load(Webhooks.source(muse));
    if (before.length === 0) return;
    const context = becauseOf(id, 'webhooks', {
      at,
      decidedBy: formatDecidedBy(endWebhooks),
      reason: 'what its webhooks were set up with has ended',
      integers: this.integers,
    });
    await executeCommand(this.journal, context, {
      writes: Webhooks.source(muse),
      reads: { owner: Muse.source(muse) },
      decide: (hooks, { owner }) => stoppedFacts(hooks, muse, owner),
    });
  }

  /** The receiver wants nothing more, has not been there for too long, or knows everything. `message` says so. */
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
