import type { StoredEvent } from '#libs/kernel/event.js';
import type { Hook } from './domain/webhook.js';
import type { InboxItem } from '#libs/features/inbox/views/inbox-items.js';
import type { Place } from '#libs/features/inbox/views/inbox-places.js';

export type WebhookMessage = Place & { readonly kind: string; readonly at: number } & (
    { readonly item: InboxItem } | { readonly event: StoredEvent }
  );

export interface WebhookRequest {
  readonly body: string;
  readonly headers: { readonly [name: string]: string };
  /** The webhook ends after this message. */
  readonly isLast?: boolean;
}

export interface DeliveryAttempt {
  readonly muse: string;
  readonly hook: Hook;
  readonly message: WebhookMessage;
  /** Message id, equal for each attempt; contains no dot. */
  readonly id: string;
  readonly now: number;
  /** Valid secrets, newest first. */
  readonly secrets: readonly Uint8Array[];
}

/**
 * Builds the messages of a kind of webhook, again for each attempt, so that erased values are left out. Returns null if
 * nothing remains to send.
 */
export interface WebhookForm {
  readonly name: Hook['form'];
  request(attempt: DeliveryAttempt): Promise<WebhookRequest | null>;
}

export class WebhookForms {
  private readonly forms = new Map<Hook['form'], WebhookForm>();

  add(form: WebhookForm): void {
    this.forms.set(form.name, form);
  }

  find({ form }: Pick<Hook, 'form'>): WebhookForm | undefined {
    return this.forms.get(form);
  }
}
