import type { StoredEvent } from '#libs/kernel/event.js';
import type { Hook } from '#libs/features/webhooks/domain/webhook.js';
import type { InboxItem } from '#libs/features/inbox/views/inbox-items.js';
import type { Place } from '#libs/features/inbox/views/inbox-places.js';

/** What a hook is told of: an item of its muse's inbox, or a public event. */
export type WebhookMessage = Place &
  (
    | { readonly kind: string; readonly at: number; readonly item: InboxItem }
    | { readonly kind: string; readonly at: number; readonly event: StoredEvent }
  );

/** What is sent at one attempt. */
export interface WebhookRequest {
  readonly body: string;
  readonly headers: { readonly [name: string]: string };
  /** Nothing more follows: once it was taken, the hook has ended. */
  readonly isLast?: boolean;
}

export interface DeliveryAttempt {
  readonly muse: string;
  readonly hook: Hook;
  readonly message: WebhookMessage;
  /** Names the message, the same at every attempt; without a dot. */
  readonly id: string;
  /** Unix ms. */
  readonly now: number;
  /** The hook's secrets that are valid, the newest first. */
  readonly secrets: readonly Uint8Array[];
}

/**
 * What the messages of some hooks are like. Each attempt is made anew, so that what was erased meanwhile is not in it;
 * null where there is nothing to say any more.
 */
export interface WebhookForm {
  readonly name: Hook['form'];
  request(attempt: DeliveryAttempt): Promise<WebhookRequest | null>;
}

/** The forms that there are: whatever brings one adds it when it is made. */
export class WebhookForms {
  private readonly all = new Map<Hook['form'], WebhookForm>();

  add(form: WebhookForm): void {
    this.all.set(form.name, form);
  }

  find({ form }: Pick<Hook, 'form'>): WebhookForm | undefined {
    return this.all.get(form);
  }
}
