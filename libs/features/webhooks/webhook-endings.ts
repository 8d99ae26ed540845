import { Injectable } from '@nestjs/common';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Event } from '#libs/kernel/event.js';
import { Forgotten, KeyBound, Linked, Muse, Suspended, TokenRevoked } from '#libs/domain/muse.js';
import { stopReasonOf, findHook, liveHooks, Webhooks, WebhookStopped } from './domain/webhook.js';
import { unreplayableDecision } from '#libs/endpoints/decision.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { WebhookSecrets } from './webhook-secrets.js';

function stoppedFacts(hooks: Webhooks, muse_id: string, muse: Muse) {
  return liveHooks(hooks).flatMap(hook => {
    const reason = stopReasonOf(hook, muse);
    return reason === null ? [] : [WebhookStopped({ webhook: hook.webhook, muse_id, reason })];
  });
}

export const endWebhooks = defineServiceCommand('end-webhooks', {
  reason: 'the key, token or account that created the webhook has ended',
  events: [WebhookStopped],
  follows: {
    after: [Forgotten, KeyBound, Linked, Suspended, TokenRevoked],
    about: ({ data }) => [{ muse_id: (data as { readonly muse_id: string }).muse_id }],
  },
  writes: ({ muse_id }: { readonly muse_id: string }) => Webhooks.source(muse_id),
  reads: ({ muse_id }) => ({ owner: Muse.source(muse_id) }),
  decide: (hooks, { owner }, { muse_id }) => stoppedFacts(hooks, muse_id, owner),
});

export const stopWebhook = unreplayableDecision('stop-webhook', {
  writes: [WebhookStopped],
  causes: ['<message>'],
  eventKey: ({ cause, data }) => formatStopKey(cause, data as EventOf<typeof WebhookStopped>['data']),
  rule:
    'A webhook stops if its receiver answers 410, if a message cannot be delivered for five days, or after it has ' +
    'delivered the end of the task that it follows.',
});

const formatStopKey = (
  message: string,
  { webhook, reason }: Pick<EventOf<typeof WebhookStopped>['data'], 'webhook' | 'reason'>,
) => `webhook/${webhook}/${message}/${reason}`;

const STOP_REASON_TEXTS = {
  gone: 'the receiver answered 410',
  given_up: 'a message could not be delivered for five days',
  removed: 'the end of the task that it follows was delivered',
} as const;
export type StopReason = keyof typeof STOP_REASON_TEXTS;

@Injectable()
export class WebhookEndings {
  constructor(
    private readonly commands: ServiceCommands,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Stops the webhooks that an event of their owner ends. Repeatable. */
  async stopEnded(muse: string, { id, type, at }: Pick<Event, 'id' | 'type' | 'at'>): Promise<void> {
    // The stream does not list removed or refused webhooks, but their secrets may remain.
    if (type === Forgotten.type) await this.secrets.destroyAll({ muse });
    const { state: hooks } = await this.commands.journal.load(Webhooks.source(muse));
    if (hooks.length > 0) await this.commands.execute(endWebhooks, { muse_id: muse }, { cause: id, at });
  }

  async stop(muse: string, webhook: number, reason: StopReason, message: string): Promise<void> {
    const requestKey = formatStopKey(message, { webhook, reason });
    const context = this.commands.context(stopWebhook, STOP_REASON_TEXTS[reason], { cause: message, requestKey });
    await executeCommand(this.commands.journal, context, {
      writes: Webhooks.source(muse),
      decide: hooks =>
        findHook(hooks, webhook)?.stopped === null ? [WebhookStopped({ webhook, muse_id: muse, reason })] : [],
    });
  }
}
