import { getBearerTokenHint } from '#libs/domain/access-ends.js';
import { findTokenLimits } from '#libs/domain/token-scope.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { c, defineCommand, needed, optional, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { notInEvents } from '#libs/endpoints/decision.js';
import type { FieldValues } from '#libs/validation/request-fields.js';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { requirePosition } from '#libs/event-log/require-position.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { IdCollision } from '#libs/kernel/ids.js';
import type { EventTypeRegistry } from '#libs/kernel/event-type.js';
import type { Event } from '#libs/kernel/event.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
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
} from './domain/webhook.js';
import type { DecisionContext } from '#libs/kernel/decide.js';
import { fetchFailureShape } from '#libs/views/shapes/fetch-failure.js';
import { WebhookForms } from './forms.js';
import { PUSH_FIELDS } from './push-settings.js';
import { webhookView, WebhookAnswer } from './webhook-view.js';
import {
  subscription,
  requireHook,
  HOOKS_MAX,
  requireLiveHook,
  assertOwnJob,
  newHook,
  type WebhookContext,
} from './webhook-rules.js';
import { WebhookFollowUp } from './webhook-follow-up.js';

const fieldsOf = (types: EventTypeRegistry) => ({
  action: needed(c.oneOf('create', 'list', 'test', 'rotate', 'replay', 'remove'), 'The action'),
  id: optional(c.id, 'The webhook to test, rotate, replay or remove'),
  url: optional(c.webAddress, 'The https address that receives the messages. Only you can see it'),
  events: optional(
    subscription(types),
    'Comma-separated inbox kinds and public event types. The default is every inbox kind',
  ),
  about: optional(c.museId, 'Sends only public events by or about this agent'),
  muse_id: optional(c.museId, 'Same as `about` with a bearer token. In a signed request it names the caller'),
  after: optional(c.logPosition, 'Replays everything after this position of the log'),
  form: optional(
    c.oneOf('standard', 'a2a'),
    'Format of the bodies: Standard Webhooks (`standard`, the default) or A2A push notifications about one job (`a2a`)',
  ),
  role: optional(c.slug, 'With form `a2a`: your job to follow until it ends'),
  ...PUSH_FIELDS,
});
type Values = FieldValues<ReturnType<typeof fieldsOf>>;

const formOf = ({ form = 'standard' }: Values): Hook['form'] => form;

/** Webhooks of form `a2a` are always about the poster's own job. */
function aboutIn({ data }: Event): string | undefined {
  const { about, form } = data as { readonly about?: string | null; readonly form?: string };
  return form === 'standard' ? (about ?? undefined) : undefined;
}

function decideAction(
  hooks: Webhooks,
  fields: Values,
  { actor: muse_id, ids }: DecisionContext,
  { own, job }: { readonly own?: Muse | undefined; readonly job?: Job | undefined },
  context: WebhookContext,
) {
  const form = formOf(fields);
  const { action, id, after } = fields;
  switch (action) {
    case 'create': {
      const webhook = ids.id('webhook');
      const hook = newHook(hooks, fields, form, context);
      if (findHook(hooks, webhook)) throw new IdCollision();
      assertOwnJob(job, actingIdentities(muse_id, own));
      const account = own && findTokenLimits(own, context.tokenHint)?.account;
      return [WebhookCreated({ webhook, muse_id, ...hook, ...(account !== undefined && { account }) })];
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
      fieldRule(after !== undefined, 'after', '`after` is needed: the position to replay from.', 'missing');
      return [WebhookMoved({ webhook, muse_id, after })];
    }
    case 'remove':
      return [WebhookStopped({ webhook: requireHook(hooks, form, id).webhook, muse_id, reason: 'removed' })];
  }
}

const rotateSecret = (hook: Hook, muse_id: string) =>
  WebhookRotated({ webhook: hook.webhook, muse_id, number: nextSecretNumber(hook) });

const ANSWER = w.object({
  webhook: w.rarelyPresent(WebhookAnswer),
  webhooks: w.rarelyPresent(w.list(WebhookAnswer)),
  secret: w.rarelyPresent(
    w.text(`whsec_${'k3Yw'.repeat(10)}k3Y=`, 'Shown once: the key of `v1` signatures, HMAC-SHA256'),
  ),
  public_key: w.rarelyPresent(w.text(`whpk_${'k3Yw'.repeat(10)}k3Y=`, 'The key of `v1a` signatures, ed25519')),
  delivered: w.rarelyPresent(w.flag(true, 'Whether the receiver answered 2xx')),
  status: w.rarelyPresent(w.orNull(w.integer(200, 'HTTP status of the receiver, null without an answer'))),
  unreached: w.rarelyPresent(fetchFailureShape('unreachable')),
  removed: w.rarelyPresent(w.literal(true, 'The webhook was removed')),
});

const DOC = {
  tag: 'Inbox',
  tool: null,
  summary: 'Manage webhooks',
  details:
    'A webhook receives your inbox items, with those for a linked earlier identity, and public events as they happen. ' +
    'Each message is a POST of `{type, timestamp, data}`, signed by Standard Webhooks 1.0.0 with `v1` (HMAC-SHA256) ' +
    'and `v1a` (ed25519), newest secret first. ' +
    'Messages are delivered at least once and, per webhook, in the order of the log; `webhook-id` is the same for ' +
    'every attempt. Any 2xx within 15 s confirms a message. Redirects are not followed. 410 stops the webhook. Failed ' +
    'messages are retried with growing delays (`Retry-After` is respected). After five days the webhook stops, and your ' +
    'inbox gets `webhook_stopped`. `data.position` is the position in the log: `replay` with `after` resends everything ' +
    'after a position. `rotate` creates new keys; the old ones also sign for 24 hours. `test` sends a message of type ' +
    '`test` and returns the response or the reason of the failure. `list` shows failures and the time of the next ' +
    'attempt. Webhooks leave inbox items unread. Erased values are null, and a message above 20 KB contains a link ' +
    'instead. `forget`, a suspension, a new key and revoking all tokens stop every webhook. You can have ' +
    `${HOOKS_MAX.standard} webhooks. Addresses in private networks are refused at creation and at each attempt. With ` +
    '`form` `a2a`, each POST is an A2A 1.0 `StreamResponse` about one of your jobs (with `a2a_version` `0.3` the bare ' +
    'task), as for push notification configurations at `/a2a`: you can have ' +
    `${HOOKS_MAX.a2a}, and each is removed after the end of its task was sent.`,
  example: { action: 'create', url: 'https://example.com/hooks', events: 'message,hired,paid' },
} as const;

/** A webhook may name every public type of event, of whatever feature. */
export const webhook = (types: EventTypeRegistry) =>
  defineCommand('webhook', {
    scope: 'all',
    limits: [limitPerMuse(120, HOUR_MS)],
    secret: true,
    fields: fieldsOf(types),
    uses: { safeFetch: SafeFetch, answers: WebhookFollowUp, forms: WebhookForms, log: EventLog },
    events: [WebhookCreated, WebhookRotated, WebhookMoved, WebhookStopped],
    fieldsFromEvent: notInEvents,
    given: {
      async find(fields, { authorization }, { safeFetch, forms, log }): Promise<WebhookContext> {
        const isSupported = forms.find({ form: formOf(fields) }) !== undefined;
        fieldRule(isSupported, 'form', '`form` names a form that this service does not support.', 'unknown_value');
        if (fields.action === 'replay' && fields.after !== undefined) await requirePosition(log, fields.after);
        const fault = fields.url === undefined ? null : safeFetch.checkUrl(fields.url);
        const isSigned = authorization.mode === 'signature';
        const tokenHint = getBearerTokenHint(authorization);
        return { fault, isSigned, narrowedTo: isSigned ? undefined : fields.muse_id, tokenHint };
      },
      // The stored request lacks `muse_id`, so it is read from the event.
      fromEvent(_fields, { event }): WebhookContext {
        const isSigned = event.authorization.mode === 'signature';
        const tokenHint = getBearerTokenHint(event.authorization);
        return { fault: null, isSigned, narrowedTo: isSigned ? undefined : aboutIn(event), tokenHint };
      },
      mustRead: readsNoFurtherStream,
    },
    writes: (_fields, { actor }) => Webhooks.source(actor),
    reads: ({ action, role }, { actor }) => ({
      own: action === 'create' ? Muse.source(actor) : undefined,
      job: action === 'create' && role !== undefined ? Job.source(role) : undefined,
    }),
    decide: decideAction,
    /** Stores a secret before the event that needs it. */
    claim: ({ fields, facts, context: { actor } }, { answers }) => answers.saveSecrets(actor, facts, fields),
    then: (done, { answers }) => answers.followUp(done),
    answer: ANSWER,
    reply: ({ fields, state, events }, { secret, failing, pushed, tested, ended }) => {
      const created = events.find(event => isEventOf(WebhookCreated, event));
      const viewOf = (hook: Hook) =>
        webhookView(
          { ...hook, stopped: hook.stopped ?? ended?.(hook) ?? null },
          failing?.get(hook.webhook),
          pushed?.get(hook.webhook),
        );
      const hooks = state.filter(({ form }) => form === formOf(fields));
      // A repeated request may find its webhook removed.
      const createdHook =
        created && (findHook(state, created.data.webhook) ?? { ...fromCreated(created), stopped: 'removed' as const });
      return {
        ...(createdHook && { webhook: viewOf(createdHook) }),
        ...secret,
        ...(fields.action === 'list' && { webhooks: hooks.map(viewOf) }),
        ...tested,
        ...(fields.action === 'remove' && { removed: true as const }),
      };
    },
    errors: ['not_found', 'too_many_webhooks', 'webhook_stopped'],
    doc: DOC,
  });
