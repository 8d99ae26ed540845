import { Injectable } from '@nestjs/common';
import { Journal } from '#libs/event-log/journal.js';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { isSuccessStatus } from '#libs/kernel/http-status.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { FailureReason } from '#libs/platform/safe-fetch/failure.js';
import { SafeFetch, type PostResult } from '#libs/platform/safe-fetch/safe-fetch.js';
import { Muse } from '#libs/domain/muse.js';
import { stopReasonOf, type Hook, findHook, Webhooks } from '#libs/features/webhooks/domain/webhook.js';
import { type WebhookRequest, type WebhookMessage, WebhookForms } from './forms.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** How long a receiver may take to answer: Standard Webhooks 1.0.0 says 15 to 30 s. */
const TIMEOUT_MS = 15 * SECOND_MS;
const ID_DIGITS = 32;
const USER_AGENT = 'agent-job-network/1.0 (+webhooks that its users set up)';

/** Of what is told: the same at each attempt. */
export const messageId = (told: string) => `msg_${sha256Hex(told).slice(0, ID_DIGITS)}`;

/** What a receiver answered that has not taken a message, or why it did not answer. */
export type AttemptFailure = { readonly status: number | null; readonly reason: FailureReason | null };

/** What became of one attempt. `retryAfter` is the header as sent. */
export type AttemptOutcome =
  | { readonly kind: 'gone' | 'nothing' | 'ended' | 'closed' }
  | { readonly kind: 'delivered'; readonly isLast: boolean }
  | ({ readonly kind: 'failed'; readonly retryAfter: string | null } & AttemptFailure);

/** One attempt to tell a receiver one thing. */
@Injectable()
export class WebhookDelivery {
  constructor(
    private readonly journal: Journal,
    private readonly safeFetch: SafeFetch,
    private readonly secrets: WebhookSecrets,
    private readonly forms: WebhookForms,
    private readonly clock: Clock,
  ) {}

  /** The hook as it is now; undefined where it is told nothing any more. */
  async findHook(muse: string, webhook: number): Promise<Hook | undefined> {
    const { state: hooks } = await this.journal.load(Webhooks.source(muse));
    const hook = findHook(hooks, webhook);
    if (!hook || hook.stopped !== null || hook.url === null) return undefined;
    const { state: owner } = await this.journal.load(Muse.source(muse));
    return stopReasonOf(hook, owner) === null ? hook : undefined;
  }

  /** Looks again whether the hook is still there, makes the message, and sends it. */
  async attempt(muse: string, webhook: number, told: WebhookMessage): Promise<AttemptOutcome> {
    const hook = await this.findHook(muse, webhook);
    if (!hook) return { kind: 'ended' };
    const form = this.forms.find(hook);
    // Another build has it: what waits is kept for that one.
    if (!form) throw new Error(`This build has no form ${hook.form} of webhooks.`);
    const now = this.clock.now();
    const secrets = await this.secrets.signingSecrets(muse, hook, now);
    const id = messageId(`${webhook}/${told.name}`);
    const request = await form.request({ muse, hook, message: told, id, now, secrets });
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

function toOutcome(sent: PostResult, { isLast = false }: WebhookRequest): AttemptOutcome {
  if (!sent.ok) {
    const { reason } = sent;
    return reason === 'closed' ? { kind: 'closed' } : { kind: 'failed', status: null, reason, retryAfter: null };
  }
  const { status, retryAfter } = sent;
  if (isSuccessStatus(status)) return { kind: 'delivered', isLast };
  return status === GONE ? { kind: 'gone' } : { kind: 'failed', status, reason: null, retryAfter };
}
