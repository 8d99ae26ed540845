import { needed, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { requirePosition } from '#libs/event-log/require-position.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import type { AddressFault } from '#libs/platform/safe-fetch/failure.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { isEventOf } from '#libs/domain/define.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import {
  type Hook,
  fromCreated,
  findHook,
  nextSecretNumber,
  WebhookCreated,
  WebhookMoved,
  WebhookRotated,
  Webhooks,
  WebhookStopped,
} from '#libs/features/webhooks/domain/webhook.js';
import type { DecisionContext } from '#libs/kernel/decide.js';
import { defineCommand } from '#libs/endpoints/command.js';
import { fetchFailureShape } from '#libs/features/jobs/views/fetch-failure.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { WebhookForms } from '#libs/webhooks/forms.js';
import { PUSH_FIELDS } from '#libs/webhooks/push-settings.js';
import { webhookView, WebhookAnswer } from './webhook-view.js';
import { subscription } from './subscription.js';
import { NO_OUTCOME, WebhookFollowUp } from './webhook-follow-up.js';
import { requireHook, HOOKS_MAX, requireLiveHook, assertOwnJob, newHook } from './webhook-rules.js';

const FIELDS = {
  action: needed(c.oneOf('create', 'list', 'test', 'rotate', 'replay', 'remove'), 'What is done with the webhooks'),
  id: optional(c.id, 'The webhook that is tested, rotated, replayed or removed'),
  url: optional(c.webAddress, 'The https address that is told; private, and shown to its owner alone'),
  events: optional(
    subscription,
    'Comma separated kinds of inbox items and types of public events; without it every kind of the inbox',
  ),
  about: optional(c.museId, 'Narrows the public events to what this muse did and what names it'),
  muse_id: optional(c.museId, 'With a bearer token the same as `about`; in a signed request it names the caller alone'),
  after: optional(c.logPosition, 'The position of the log behind which everything is told again'),
  form: optional(
    c.oneOf('standard', 'a2a'),
    'How the bodies are made: as Standard Webhooks (`standard`, the default), or as push notifications of A2A 1.0 about one role',
  ),
  role: optional(c.slug, 'With the form `a2a`: the job of one’s own that is followed, until its end was told'),
  ...PUSH_FIELDS,
};
type Values = FieldValues<typeof FIELDS>;

const formOf = ({ form = 'standard' }: Values): Hook['form'] => form;

interface WebhookContext {
  /** Why the service may not send to the address, which its settings say. */
  readonly fault: AddressFault | null;
  /** The `muse_id` that a request with a token has named; in a signed one it names the caller, and narrows nothing. */
  readonly narrowedTo: string | undefined;
  readonly isSigned: boolean;
}

/** One of the form of A2A is about the job’s poster by itself. */
function aboutIn({ data }: Event): string | undefined {
  const { about, form } = data as { readonly about?: string | null; readonly form?: string };
  return form === 'standard' ? (about ?? undefined) : undefined;
}

interface WebhookReads {
  /** The one that is to be followed. */
  readonly job?: Job | undefined;
}

function decideAction(
  hooks: Webhooks,
  fields: Values,
  { actor: muse_id, ids }: DecisionContext,
  { job }: WebhookReads,
  found: WebhookContext,
) {
  const form = formOf(fields);
  const { action, id, after, about = found.narrowedTo } = fields;
  switch (action) {
    case 'create': {
      const webhook = ids.id('webhook');
      const narrowedBy = fields.about === undefined ? 'muse_id' : 'about';
      const made = newHook(hooks, { ...fields, about }, { ...found, form, webhook, narrowedBy });
      assertOwnJob(job, muse_id);
      return [WebhookCreated({ webhook, muse_id, ...made })];
    }
    case 'list':
      return [];
    case 'test':
      requireLiveHook(hooks, 'standard', id);
      return [];
    case 'rotate':
      return [rotateSecret(requireLiveHook(hooks, 'standard', id), muse_id)];
    case 'replay': {
      const { webhook } = requireLiveHook(hooks, form, id);
      fieldRule(after !== undefined, 'after', 'after is needed.', 'missing');
      return [WebhookMoved({ webhook, muse_id, after: after })];
    }
    case 'remove':
      return [WebhookStopped({ webhook: requireHook(hooks, form, id).webhook, muse_id, reason: 'removed' })];
  }
}

const rotateSecret = (hook: Hook, muse_id: string) =>
  WebhookRotated({ webhook: hook.webhook, muse_id, number: nextSecretNumber(hook) });

/** Being told instead of asking: what happens to a muse, and what happens in public, is sent to an address of its own. */
export const webhook = defineCommand('webhook', {
  who: 'joined',
  limits: [limitPerMuse(120, HOUR_MS)],
  secret: true,
  fields: FIELDS,
  uses: { safeFetch: SafeFetch, answers: WebhookFollowUp, forms: WebhookForms, log: EventLog },
  events: [WebhookCreated, WebhookRotated, WebhookMoved, WebhookStopped],
  given: {
    async find(fields, { authorization }, { safeFetch, forms, log }): Promise<WebhookContext> {
      const isThere = forms.find({ form: formOf(fields) }) !== undefined;
      fieldRule(isThere, 'form', 'This service does not send in this form.', 'unknown_value');
      if (fields.action === 'replay' && fields.after !== undefined) await requirePosition(log, fields.after);
      const fault = fields.url === undefined ? null : safeFetch.checkUrl(fields.url);
      const isSigned = authorization.mode === 'signature';
      return { fault, isSigned, narrowedTo: isSigned ? undefined : fields.muse_id };
    },
    // No request keeps the `muse_id` that it was sent with, so it is as the event says.
    said(_fields, { event }): WebhookContext {
      const isSigned = event.authorization.mode === 'signature';
      return { fault: null, isSigned, narrowedTo: isSigned ? undefined : aboutIn(event) };
    },
  },
  writes: (_fields, { actor }) => Webhooks.source(actor),
  reads: ({ action, role }) => ({ job: action === 'create' && role !== undefined ? Job.source(role) : undefined }),
  decide: (hooks, fields, context, reads, found) => decideAction(hooks, fields, context, reads, found),
  /** A secret stands in the vault before the event that it belongs to. */
  claim: ({ fields, facts, context: { actor } }, { answers }) => answers.saveSecrets(actor, facts, fields),
  then: (done, { answers }) => answers.followUp(done),
  duringOutage: () => NO_OUTCOME,
  answer: w.object({
    webhook: w.rarelyPresent(WebhookAnswer),
    webhooks: w.rarelyPresent(w.list(WebhookAnswer)),
    secret: w.rarelyPresent(
      w.text(`whsec_${'k3Yw'.repeat(10)}k3Y=`, 'Shown once: the key of `v1` signatures, HMAC-SHA256'),
    ),
    public_key: w.rarelyPresent(w.text(`whpk_${'k3Yw'.repeat(10)}k3Y=`, 'The key of `v1a` signatures, ed25519')),
    delivered: w.rarelyPresent(w.flag(true, 'Whether the receiver answered 2xx')),
    status: w.rarelyPresent(w.orNull(w.integer(200, 'What the receiver answered; null where it did not'))),
    unreached: w.rarelyPresent(fetchFailureShape('unreachable')),
    removed: w.rarelyPresent(w.literal(true)),
  }),
  reply: ({ fields, state, events }, { secret, failing, pushed, tested, ended }) => {
    const created = events.find(event => isEventOf(WebhookCreated, event));
    const shown = (hook: Hook) =>
      webhookView(
        { ...hook, stopped: hook.stopped ?? ended(hook) },
        failing.get(hook.webhook),
        pushed.get(hook.webhook),
      );
    const own = state.filter(({ form }) => form === formOf(fields));
    // Asked for once more, it may have been removed since.
    const made =
      created && (findHook(state, created.data.webhook) ?? { ...fromCreated(created), stopped: 'removed' as const });
    return {
      ...(made && { webhook: shown(made) }),
      ...secret,
      ...(fields.action === 'list' && { webhooks: own.map(shown) }),
      ...tested,
      ...(fields.action === 'remove' && { removed: true as const }),
    };
  },
  errors: ['not_found', 'too_many_webhooks', 'webhook_stopped'],
  doc: {
    tag: 'Inbox',
    tool: null,
    summary: 'Be told at an address of one’s own: create, list, test, rotate, replay or remove webhooks',
    details:
      'What an inbox tells is sent as it happens, and public events besides: a POST of `{type, timestamp, data}`, signed ' +
      'as Standard Webhooks 1.0.0 says by `v1` (HMAC-SHA256) and `v1a` (ed25519), the newest secret first. Every message ' +
      'is sent at least once, those of one webhook in the order of the log, each behind the one before; `webhook-id` is ' +
      'the same at every attempt. Any 2xx within 15 s takes it; a redirect is not followed; 410 stops the webhook. What ' +
      'fails is tried again with growing pauses (`Retry-After` counts), and after five days the webhook stops, which the ' +
      'inbox says (`webhook_stopped`). `data.position` is where it stands in the log: `replay` with `after` tells ' +
      'everything behind a position again. `rotate` makes new keys; for 24 hours the old ones sign too. `test` sends a ' +
      'message of the type `test` at once, and says what the receiver answered, or why it did not; of one that fails ' +
      '`list` says that too, and when it is tried again. A webhook moves no mark of the inbox. What was erased ' +
      'meanwhile is null, and what is too large for 20 KB says where it stands. `forget`, a suspension, a new key and ' +
      `the end of all tokens end every webhook. At most ${HOOKS_MAX.standard} at once. An address of a private network is refused, now and at ` +
      'each attempt. With `form` `a2a` a POST is a `StreamResponse` of A2A 1.0 about one job of one’s own, which is what ' +
      'push notification configurations at `/a2a` are: at most ' +
      `${HOOKS_MAX.a2a} at once; one ends when the end of its task was told, and is then forgotten.`,
    example: { action: 'create', url: 'https://example.com/hooks', events: 'message,hired,paid' },
  },
});
