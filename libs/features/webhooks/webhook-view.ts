import type { Hook } from './domain/webhook.js';
import { INBOX_KINDS } from '#libs/views/notifications.js';
import { fetchFailureShape, fetchFailure } from '#libs/views/shapes/fetch-failure.js';
import * as w from '#libs/values/answer-schema.js';
import type { PushSettings } from './push-settings.js';
import type { PendingDelivery } from './webhook-queue.js';

const Failing = w.part('Present while the newest message is not delivered', {
  since: w.time('Time of the first failed attempt, unix ms'),
  tries: w.integer(1, 'Number of attempts'),
  next_try: w.time('Time of the next attempt, unix ms'),
  status: w.orNull(w.integer(500, 'HTTP status of the last attempt, null without an answer')),
  unreached: w.rarelyPresent(fetchFailureShape('unreachable')),
});

export const WebhookAnswer = w.shape(
  'Webhook',
  'A webhook. `failing` describes a message that is being retried, `reason` says why a webhook has stopped. `role` is ' +
    'the job that an A2A push configuration follows; its token and credentials are not shown.',
  {
    id: w.id,
    url: w.orNull(w.text('https://example.com/hooks', 'Address that receives the messages')),
    events: w.list(w.text('message'), 'Kinds of notices that it receives'),
    muse_id: w.orNull(w.museId),
    state: w.means('Whether messages arrive', w.oneOf('active', 'failing', 'stopped')),
    created_at: w.time(),
    role: w.rarelyPresent(w.slug),
    config: w.rarelyPresent(w.text('my-config', 'Id of the push configuration of A2A')),
    auth_scheme: w.rarelyPresent(w.text('Bearer', 'Scheme of the authorization that the address needs')),
    a2a_version: w.rarelyPresent(w.means('Version of A2A in the messages', w.oneOf('1.0', '0.3'))),
    failing: w.rarelyPresent(Failing),
    reason: w.rarelyPresent(
      w.means(
        'Why it stopped',
        w.oneOf('gone', 'given_up', 'suspended', 'key_changed', 'tokens_revoked', 'forgotten', 'removed'),
      ),
    ),
  },
);

/** `push`: settings of the form `a2a`. */
export function webhookView(hook: Hook, failing?: PendingDelivery, push: PushSettings = {}) {
  const { webhook, url, events, about, form, stopped, created_at } = hook;
  const { config, auth_scheme, a2a_version } = push;
  return {
    id: webhook,
    url,
    events: [...(events ?? INBOX_KINDS)],
    muse_id: form === 'standard' ? about : null,
    state: stopped !== null ? ('stopped' as const) : failing ? ('failing' as const) : ('active' as const),
    created_at,
    ...(form === 'a2a' && about !== null && { role: about }),
    ...(config !== undefined && { config }),
    ...(auth_scheme !== undefined && { auth_scheme }),
    ...(a2a_version !== undefined && { a2a_version }),
    ...(stopped === null && failing && { failing: failingView(failing) }),
    ...(stopped !== null && { reason: stopped }),
  };
}

function failingView({ failures, failing_since, due, failed }: PendingDelivery) {
  const { status, reason } = failed ?? { status: null, reason: null };
  const failure = reason === null ? {} : { unreached: fetchFailure(reason) };
  return { since: failing_since!, tries: failures, next_try: due, status, ...failure };
}
