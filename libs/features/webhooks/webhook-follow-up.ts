import { Injectable } from '@nestjs/common';
import { Journal } from '#libs/event-log/journal.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { isSuccessStatus } from '#libs/kernel/http-status.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import {
  FIRST_SECRET,
  stopReasonOf,
  type Hook,
  findHook,
  WebhookCreated,
  WebhookRotated,
  type Webhooks,
} from './domain/webhook.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Followed } from '#libs/endpoints/paid-action.js';
import { fetchFailure, type FetchFailure } from '#libs/views/shapes/fetch-failure.js';
import { messageId, WebhookDelivery } from './delivery.js';
import type { PendingDelivery } from './webhook-queue.js';
import { type PushSettings, pushSettingsIn, decodePushSettings, encodePushSettings } from './push-settings.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { standardRequest, secretView } from './standard.form.js';
import { WebhookStatus } from './webhook-status.js';

interface WebhookOutcome extends Followed {
  readonly secret: { readonly secret?: string; readonly public_key?: string };
  readonly failing: ReadonlyMap<number, PendingDelivery>;
  /** Settings of A2A push configurations. */
  readonly pushed: ReadonlyMap<number, PushSettings>;
  /** Reports an ended webhook before the event that records it exists. */
  readonly ended: (hook: Hook) => Hook['stopped'];
  readonly tested: { readonly delivered?: boolean; readonly status?: number | null; readonly unreached?: FetchFailure };
}

interface CompletedRequest {
  readonly fields: { readonly action: string; readonly id?: number };
  readonly state: Webhooks;
  readonly events: readonly Event[];
  readonly context: Pick<CommandContext, 'actor' | 'at'>;
}

/** Side effects of a webhook request, and their part of the answer. */
@Injectable()
export class WebhookFollowUp {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly delivery: WebhookDelivery,
    private readonly states: WebhookStatus,
    private readonly journal: Journal,
  ) {}

  /** Stores the new secrets of these facts in the vault. */
  async saveSecrets(muse: string, facts: readonly Fact[], settings: PushSettings): Promise<void> {
    for (const fact of facts) {
      const secret = newSecretIn(fact as Event);
      if (!secret) continue;
      const value = secret.isPushed ? encodePushSettings(pushSettingsIn(settings)) : undefined;
      await this.secrets.put({ muse, webhook: secret.webhook }, secret.number, value);
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

  /** A secret is shown once: in the answer to the request that created it. */
  private async secretOf(muse: string, events: readonly Event[]) {
    const secret = events.map(newSecretIn).find(each => each?.isPushed === false);
    const value = secret && (await this.secrets.get({ muse, webhook: secret.webhook }, secret.number));
    return value ? secretView(value) : {};
  }

  private async loadPushSettings(muse: string, hooks: Webhooks): Promise<ReadonlyMap<number, PushSettings>> {
    const pushHooks = hooks.filter(({ form }) => form === 'a2a');
    const values = await Promise.all(pushHooks.map(({ webhook }) => this.secrets.get({ muse, webhook }, FIRST_SECRET)));
    return new Map(
      pushHooks.flatMap(({ webhook }, index) =>
        values[index] ? [[webhook, decodePushSettings(values[index])] as const] : [],
      ),
    );
  }

  private async sendTest(muse: string, hooks: Webhooks, webhook: number, at: number) {
    const hook = findHook(hooks, webhook)!;
    const secrets = await this.secrets.signingSecrets(muse, hook, at);
    const id = messageId(`test/${webhook}/${at}`);
    const request = standardRequest({ id, type: 'test', at, data: { webhook } }, secrets, at);
    const response = await this.delivery.send(hook.url ?? '', request);
    if (response.ok) return { delivered: isSuccessStatus(response.status), status: response.status };
    return { delivered: false, status: null, unreached: fetchFailure(response.reason) };
  }
}

interface NewSecret {
  readonly webhook: number;
  readonly number: number;
  /** The stored value holds push settings instead of a key. */
  readonly isPushed: boolean;
}

function newSecretIn(event: Event): NewSecret | null {
  if (isEventOf(WebhookRotated, event)) return { ...event.data, isPushed: false };
  if (!isEventOf(WebhookCreated, event)) return null;
  return { webhook: event.data.webhook, number: FIRST_SECRET, isPushed: event.data.form === 'a2a' };
}
