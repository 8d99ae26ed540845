import { Injectable } from '@nestjs/common';
import { Journal } from '#libs/event-log/journal.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { isSuccessStatus } from '#libs/kernel/http-status.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import {
  stopReasonOf,
  type Hook,
  findHook,
  WebhookCreated,
  WebhookRotated,
  type Webhooks,
} from '#libs/features/webhooks/domain/webhook.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Followed } from '#libs/endpoints/paid-action.js';
import { fetchFailure, type FetchFailure } from '#libs/features/jobs/views/fetch-failure.shape.js';
import { messageId, WebhookDelivery } from '#libs/webhooks/delivery.js';
import type { PendingDelivery } from '#libs/webhooks/webhook-queue.js';
import {
  type PushSettings,
  pushSettingsIn,
  decodePushSettings,
  encodePushSettings,
} from '#libs/webhooks/push-settings.js';
import { FIRST_SECRET, WebhookSecrets } from '#libs/webhooks/webhook-secrets.js';
import { standardRequest } from '#libs/webhooks/standard.form.js';
import { secretView } from '#libs/webhooks/standard-signature.js';
import { WebhookStatus } from '#libs/webhooks/webhook-status.js';

/** What has followed from a request. */
interface WebhookOutcome extends Followed {
  readonly secret: { readonly secret?: string; readonly public_key?: string };
  readonly failing: ReadonlyMap<number, PendingDelivery>;
  /** What the push configurations among them say. */
  readonly pushed: ReadonlyMap<number, PushSettings>;
  /** Why one has ended with what it was set up with, though nothing has said so yet. */
  readonly ended: (hook: Hook) => Hook['stopped'];
  readonly tested: { readonly delivered?: boolean; readonly status?: number | null; readonly unreached?: FetchFailure };
}

/** Replaces the follow-up of a request that wrote its events before an outage. */
export const NO_OUTCOME: WebhookOutcome = {
  secret: {},
  failing: new Map(),
  pushed: new Map(),
  ended: () => null,
  tested: {},
};

interface CompletedRequest {
  readonly fields: { readonly action: string; readonly id?: number };
  readonly state: Webhooks;
  readonly events: readonly Event[];
  readonly context: Pick<CommandContext, 'actor' | 'at'>;
}

/** What a request about webhooks does besides its events, and what its answer says of that. */
@Injectable()
export class WebhookFollowUp {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly delivery: WebhookDelivery,
    private readonly states: WebhookStatus,
    private readonly journal: Journal,
  ) {}

  /** Puts the secrets that facts bring with them where they are kept. */
  async saveSecrets(muse: string, facts: readonly Fact[], asked: PushSettings): Promise<void> {
    for (const fact of facts) {
      const made = newSecretIn(fact as Event);
      if (!made) continue;
      const value = made.isPushed ? encodePushSettings(pushSettingsIn(asked)) : undefined;
      await this.secrets.put({ muse, webhook: made.webhook }, made.number, value);
    }
  }

  async followUp({
    fields: { action, id },
    state,
    events,
    context: { actor, at },
  }: CompletedRequest): Promise<WebhookOutcome> {
    if (action === 'remove') await this.secrets.destroyAll({ muse: actor, webhook: id! });
    const load = async () => (await this.journal.load(Muse.source(actor))).state;
    const owner = events.length > 0 ? await withOutageFallback(load, null) : await load();
    return {
      secret: await this.secretOf(actor, events),
      failing: action === 'list' ? await this.states.findFailing(actor, state) : new Map(),
      pushed: action === 'list' || action === 'create' ? await this.loadPushSettings(actor, state) : new Map(),
      ended: hook => owner && stopReasonOf(hook, owner),
      tested: action === 'test' ? await this.sendTest(actor, state, id!, at) : {},
    };
  }

  /** What is shown once: of what the request has made. */
  private async secretOf(muse: string, events: readonly Event[]) {
    const made = events.map(newSecretIn).find(each => each?.isPushed === false);
    const value = made && (await this.secrets.get({ muse, webhook: made.webhook }, made.number));
    return value ? secretView(value) : {};
  }

  private async loadPushSettings(muse: string, hooks: Webhooks): Promise<ReadonlyMap<number, PushSettings>> {
    const own = hooks.filter(({ form }) => form === 'a2a');
    const kept = await Promise.all(own.map(({ webhook }) => this.secrets.get({ muse, webhook }, FIRST_SECRET)));
    return new Map(
      own.flatMap(({ webhook }, at) => (kept[at] ? [[webhook, decodePushSettings(kept[at])] as const] : [])),
    );
  }

  /** Sends a message at once, outside the order of the others. */
  private async sendTest(muse: string, hooks: Webhooks, webhook: number, at: number) {
    const hook = findHook(hooks, webhook)!;
    const secrets = await this.secrets.signingSecrets(muse, hook, at);
    const id = messageId(`test/${webhook}/${at}`);
    const request = standardRequest({ id, type: 'test', at, data: { webhook } }, secrets, at);
    const sent = await this.delivery.send(hook.url ?? '', request);
    if (sent.ok) return { delivered: isSuccessStatus(sent.status), status: sent.status };
    return { delivered: false, status: null, unreached: fetchFailure(sent.reason) };
  }
}

interface NewSecret {
  readonly webhook: number;
  readonly number: number;
  /** It is what a push configuration says, and no key. */
  readonly isPushed: boolean;
}

/** The number of the secret that an event brings with it. */
function newSecretIn(event: Event): NewSecret | null {
  if (isEventOf(WebhookRotated, event)) return { ...event.data, isPushed: false };
  if (!isEventOf(WebhookCreated, event)) return null;
  return { webhook: event.data.webhook, number: FIRST_SECRET, isPushed: event.data.form === 'a2a' };
}
