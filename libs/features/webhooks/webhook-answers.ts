import { Injectable } from '@nestjs/common';
import { Journal } from '#libs/event-log/journal.js';
import { orWhileUnavailable } from '#libs/event-log/or-while-unavailable.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { isSuccess } from '#libs/kernel/http-status.js';
import { is } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import {
  endOf,
  type Hook,
  hookOf,
  WebhookCreated,
  WebhookRotated,
  type Webhooks,
} from '#libs/features/webhooks/domain/webhook.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Followed } from '#libs/endpoints/sale.js';
import { unreached, type Unanswered } from '#libs/features/jobs/views/unanswered.shape.js';
import { messageId, WebhookDelivery } from '#libs/webhooks/delivery.js';
import type { Waiting } from '#libs/webhooks/queue.js';
import { type PushSettings, pushSettingsIn, readSettings, writtenSettings } from '#libs/webhooks/push-settings.js';
import { FIRST_SECRET, WebhookSecrets } from '#libs/webhooks/secrets.js';
import { standardRequest } from '#libs/webhooks/standard.form.js';
import { shownSecret } from '#libs/webhooks/standard-signature.js';
import { WebhookStates } from '#libs/webhooks/states.js';

/** What has followed from a request. */
interface After extends Followed {
  readonly secret: { readonly secret?: string; readonly public_key?: string };
  readonly failing: ReadonlyMap<number, Waiting>;
  /** What the push configurations among them say. */
  readonly pushed: ReadonlyMap<number, PushSettings>;
  /** Why one has ended with what it was set up with, though nothing has said so yet. */
  readonly ended: (hook: Hook) => Hook['stopped'];
  readonly tested: { readonly delivered?: boolean; readonly status?: number | null; readonly unreached?: Unanswered };
}

/** Replaces the follow-up of a request that wrote its events before an outage. */
export const NOTHING_FOLLOWED: After = {
  secret: {},
  failing: new Map(),
  pushed: new Map(),
  ended: () => null,
  tested: {},
};

interface Done {
  readonly fields: { readonly action: string; readonly id?: number };
  readonly state: Webhooks;
  readonly events: readonly Event[];
  readonly context: Pick<CommandContext, 'actor' | 'at'>;
}

/** What a request about webhooks does besides its events, and what its answer says of that. */
@Injectable()
export class WebhookAnswers {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly delivery: WebhookDelivery,
    private readonly states: WebhookStates,
    private readonly journal: Journal,
  ) {}

  /** Puts the secrets that facts bring with them where they are kept. */
  async keep(muse: string, facts: readonly Fact[], asked: PushSettings): Promise<void> {
    for (const fact of facts) {
      const made = secretIn(fact as Event);
      if (!made) continue;
      const value = made.isPushed ? writtenSettings(pushSettingsIn(asked)) : undefined;
      await this.secrets.put({ muse, webhook: made.webhook }, made.number, value);
    }
  }

  async after({ fields: { action, id }, state, events, context: { actor, at } }: Done): Promise<After> {
    if (action === 'remove') await this.secrets.destroyAll({ muse: actor, webhook: id! });
    const load = async () => (await this.journal.load(Muse.of(actor))).state;
    const owner = events.length > 0 ? await orWhileUnavailable(load, null) : await load();
    return {
      secret: await this.secretOf(actor, events),
      failing: action === 'list' ? await this.states.failing(actor, state) : new Map(),
      pushed: action === 'list' || action === 'create' ? await this.pushed(actor, state) : new Map(),
      ended: hook => owner && endOf(hook, owner),
      tested: action === 'test' ? await this.test(actor, state, id!, at) : {},
    };
  }

  /** What is shown once: of what the request has made. */
  private async secretOf(muse: string, events: readonly Event[]) {
    const made = events.map(secretIn).find(each => each?.isPushed === false);
    const value = made && (await this.secrets.get({ muse, webhook: made.webhook }, made.number));
    return value ? shownSecret(value) : {};
  }

  private async pushed(muse: string, hooks: Webhooks): Promise<ReadonlyMap<number, PushSettings>> {
    const own = hooks.filter(({ form }) => form === 'a2a');
    const kept = await Promise.all(own.map(({ webhook }) => this.secrets.get({ muse, webhook }, FIRST_SECRET)));
    return new Map(own.flatMap(({ webhook }, at) => (kept[at] ? [[webhook, readSettings(kept[at])] as const] : [])));
  }

  /** Sends a message at once, outside the order of the others. */
  private async test(muse: string, hooks: Webhooks, webhook: number, at: number) {
    const hook = hookOf(hooks, webhook)!;
    const secrets = await this.secrets.signing(muse, hook, at);
    const id = messageId(`test/${webhook}/${at}`);
    const request = standardRequest({ id, type: 'test', at, data: { webhook } }, secrets, at);
    const sent = await this.delivery.send(hook.url ?? '', request);
    if (sent.ok) return { delivered: isSuccess(sent.status), status: sent.status };
    return { delivered: false, status: null, unreached: unreached(sent.reason) };
  }
}

interface Brought {
  readonly webhook: number;
  readonly number: number;
  /** It is what a push configuration says, and no key. */
  readonly isPushed: boolean;
}

/** The number of the secret that an event brings with it. */
function secretIn(event: Event): Brought | null {
  if (is(WebhookRotated, event)) return { ...event.data, isPushed: false };
  if (!is(WebhookCreated, event)) return null;
  return { webhook: event.data.webhook, number: FIRST_SECRET, isPushed: event.data.form === 'a2a' };
}
