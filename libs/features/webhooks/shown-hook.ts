import type { Hook } from '#libs/streams/webhook.js';
import { INBOX_KINDS } from '#libs/views/inbox-kinds.js';
import * as w from '#libs/views/shapes/words.js';
import type { PushSettings } from '#libs/webhooks/push-settings.js';

export const WebhookAnswer = w.shape(
  'Webhook',
  {
    id: w.id,
    url: w.orNull(w.text('https://example.com/hooks')),
    events: w.list(w.text('message')),
    muse_id: w.orNull(w.museId),
    state: w.oneOf('active', 'failing', 'stopped'),
    created_at: w.time(),
    role: w.rare(w.slug),
    config: w.rare(w.text('my-config')),
    auth_scheme: w.rare(w.text('Bearer')),
    reason: w.rare(w.oneOf('gone', 'given_up', 'suspended', 'key_changed', 'tokens_revoked', 'forgotten', 'removed')),
  },
  'Where what happens is sent. `failing` while a message is tried again; `reason` says why one has stopped. `role` is ' +
    'what a push configuration of A2A follows; its token and its credentials are not shown.',
);

/** A hook as its owner sees it. `push`: what it says besides, of the form `a2a`. */
export function shownHook(hook: Hook, isFailing: boolean, push: PushSettings = {}) {
  const { webhook, url, events, about, form, stopped, created_at } = hook;
  const { config, auth_scheme } = push;
  return {
    id: webhook,
    url,
    events: [...(events ?? INBOX_KINDS)],
    muse_id: form === 'standard' ? about : null,
    state: stopped !== null ? ('stopped' as const) : isFailing ? ('failing' as const) : ('active' as const),
    created_at,
    ...(form === 'a2a' && about !== null && { role: about }),
    ...(config !== undefined && { config }),
    ...(auth_scheme !== undefined && { auth_scheme }),
    ...(stopped !== null && { reason: stopped }),
  };
}
