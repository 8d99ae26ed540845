import type { Hook } from '#libs/streams/webhook.js';
import { INBOX_KINDS } from '#libs/views/inbox-kinds.js';
import * as w from '#libs/views/shapes/words.js';

export const WebhookAnswer = w.shape(
  'Webhook',
  {
    id: w.id,
    url: w.orNull(w.text('https://example.com/hooks')),
    events: w.list(w.text('message')),
    muse_id: w.orNull(w.museId),
    state: w.oneOf('active', 'failing', 'stopped'),
    created_at: w.time(),
    reason: w.rare(w.oneOf('gone', 'given_up', 'suspended', 'key_changed', 'tokens_revoked', 'forgotten', 'removed')),
  },
  'Where what happens is sent. `failing` while a message is tried again; `reason` says why one has stopped.',
);

/** A hook as its owner sees it. */
export function shownHook({ webhook, url, events, about, form, stopped, created_at }: Hook, isFailing: boolean) {
  return {
    id: webhook,
    url,
    events: [...(events ?? INBOX_KINDS)],
    muse_id: form === 'standard' ? about : null,
    state: stopped !== null ? ('stopped' as const) : isFailing ? ('failing' as const) : ('active' as const),
    created_at,
    ...(stopped !== null && { reason: stopped }),
  };
}
