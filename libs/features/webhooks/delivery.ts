import { Injectable } from '@nestjs/common';
import { Journal } from '#libs/event-log/journal.js';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { isSuccessStatus } from '#libs/kernel/http-status.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { FailureReason } from '#libs/platform/safe-fetch/failure.js';
import { SafeFetch, type PostResult } from '#libs/platform/safe-fetch/safe-fetch.js';
import { Muse } from '#libs/domain/muse.js';
import { stopReasonOf, type Hook, findHook, Webhooks } from './domain/webhook.js';
import { type WebhookRequest, type WebhookMessage, WebhookForms } from './forms.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Standard Webhooks 1.0.0 recommends 15 to 30 s. */
const TIMEOUT_MS = 15 * SECOND_MS;
const ID_DIGITS = 32;
const USER_AGENT = 'agent-job-network/1.0 (+webhooks that its users set up)';

export const messageId = (message: string) => `msg_${sha256Hex(message).slice(0, ID_DIGITS)}`;

export type AttemptFailure = { readonly status: number | null; readonly reason: FailureReason | null };

/** `retryAfter` is the header as received. */
export type AttemptOutcome =
  | { readonly kind: 'gone' | 'nothing' | 'ended' | 'closed' }
  | { readonly kind: 'delivered'; readonly isLast: boolean }
  | ({ readonly kind: 'failed'; readonly retryAfter: string | null } & AttemptFailure);

@Injectable()
export class WebhookDelivery {
  constructor(
    private readonly journal: Journal,
    private readonly safeFetch: SafeFetch,
    private readonly secrets: WebhookSecrets,
    private readonly forms: WebhookForms,
    private readonly clock: Clock,
  ) {}

  async findHook(muse: string, webhook: number): Promise<Hook | undefined> {
    const { state: hooks } = await this.journal.load(Webhooks.source(muse));
    const hook = findHook(hooks, webhook);
    if (!hook || hook.stopped !== null || hook.url === null) return undefined;
    const { state: owner } = await this.journal.load(Muse.source(muse));
    return stopReasonOf(hook, owner) === null ? hook : undefined;
  }

  async attempt(muse: string, webhook: number, message: WebhookMessage): Promise<AttemptOutcome> {
    const hook = await this.findHook(muse, webhook);
    if (!hook) return { kind: 'ended' };
    const form = this.forms.find(hook);
    // Another build may support the form: keep the message pending.
    if (!form) throw new Error(`This build does not support webhooks of the form ${hook.form}.`);
    const now = this.clock.now();
    const secrets = await this.secrets.signingSecrets(muse, hook, now);
    const id = messageId(`${webhook}/${message.name}`);
    const request = await form.request({ muse, hook, message, id, now, secrets });
    return request ? toOutcome(await this.send(hook.url!, request), request) : { kind: 'nothing' };
  }

  send(url: string, { body, headers }: WebhookRequest): Promise<PostResult> {
    return this.safeFetch.send(url, {
      body,
      headers: { 'user-agent': USER_AGENT, ...headers },
      timeoutMs: TIMEOUT_MS,
    });
  }
}

const GONE = 410;

function toOutcome(result: PostResult, { isLast = false }: WebhookRequest): AttemptOutcome {
  if (!result.ok) {
    const { reason } = result;
    return reason === 'closed' ? { kind: 'closed' } : { kind: 'failed', status: null, reason, retryAfter: null };
  }
  const { status, retryAfter } = result;
  if (isSuccessStatus(status)) return { kind: 'delivered', isLast };
  return status === GONE ? { kind: 'gone' } : { kind: 'failed', status, reason: null, retryAfter };
}
