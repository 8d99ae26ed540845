import { DAY_MS } from '#libs/kernel/clock.js';
import type { Position, Revision } from '#libs/kernel/event.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { Muse } from '#libs/domain/muse.js';

/** Replaced secrets keep signing for this long. */
const ROTATED_SECRET_MS = DAY_MS;
/** Number of a webhook's first secret. */
export const FIRST_SECRET = 1;
/** Maximum number of signing secrets of a webhook; the newest are kept. */
const SIGNING_SECRETS_MAX = 5;
/** Maximum number of stopped webhooks that are kept; the newest are kept. */
const STOPPED_MAX = 5;

const PRIVATE = { privateType: true, askedFor: 'webhook' } as const;
const OF_HOOK = { webhook: f.clear(f.id, 'Id of the webhook'), muse_id: f.clear(f.museId) };

/**
 * `form` is the format of the bodies. `events` lists inbox kinds and event types, null for every inbox kind. `about`
 * narrows public events to a muse or a role.
 */
export const WebhookCreated = defineEvent(
  'WebhookCreated',
  'An agent subscribed to notices at an address.',
  {
    ...OF_HOOK,
    form: f.clear(f.oneOf('standard', 'a2a'), 'Format of the bodies'),
    url: f.private(f.text, 'Its address'),
    account: f.clear(f.optional(f.text), 'Account of the token with limits that created it'),
    events: f.clear(
      f.orNull(f.list(f.text)),
      'Kinds of inbox items and types of events that it sends; null for all kinds of inbox items',
    ),
    about: f.clear(f.orNull(f.text), 'Agent or job that the notices are about; null for all'),
  },
  PRIVATE,
);

/** Earlier secrets sign for `ROTATED_SECRET_MS` more. Secrets are only in the vault. */
export const WebhookRotated = defineEvent(
  'WebhookRotated',
  'A webhook got another secret.',
  { ...OF_HOOK, number: f.clear(f.integer, 'Number of the secret, from 1') },
  PRIVATE,
);

/** Resends everything after a position of the log. */
export const WebhookMoved = defineEvent(
  'WebhookMoved',
  'A webhook sends again what follows a position.',
  { ...OF_HOOK, after: f.clear(f.text, 'Position after which it sends again') },
  PRIVATE,
);

/**
 * `removed` (by the owner, or because the followed task ended) deletes the webhook. `gone` and `given_up` follow from
 * failed deliveries.
 */
export const WebhookStopped = defineEvent(
  'WebhookStopped',
  'A webhook was removed, or stopped after failures.',
  {
    ...OF_HOOK,
    reason: f.clear(
      f.oneOf('removed', 'gone', 'given_up', 'suspended', 'key_changed', 'tokens_revoked', 'forgotten'),
      'Why it stopped, as a code',
    ),
  },
  PRIVATE,
);

const EVENTS = [WebhookCreated, WebhookRotated, WebhookMoved, WebhookStopped] as const;

type CreatedEvent = EventOf<typeof WebhookCreated>;
export type StopReason = EventOf<typeof WebhookStopped>['data']['reason'];

/** Times are unix ms. `url` is null after its muse was forgotten. */
export interface Hook {
  readonly webhook: number;
  readonly form: CreatedEvent['data']['form'];
  readonly url: string | null;
  readonly events: readonly string[] | null;
  readonly about: string | null;
  readonly created_at: number;
  /** Events after this position are sent. */
  readonly after: Position;
  /** Position of the event that set `after`: creation or replay. */
  readonly since: Position;
  /** Revision of the muse's stream at authorization, -1 if unrecorded. */
  readonly allowedAt: Revision;
  /** Account of the token with limits that created it. */
  readonly account: string | null;
  /** Signing secrets, newest last; `until` is null for the newest. */
  readonly secrets: readonly { readonly number: number; readonly until: number | null }[];
  /** Null while active. */
  readonly stopped: StopReason | null;
}

/** Webhooks of a muse, oldest first. One stream holds them all, so that their number can be limited. */
export type Webhooks = readonly Hook[];

type WebhookEvent = EventOf<(typeof EVENTS)[number]>;

export const Webhooks = defineStream('webhook', {
  key: (museId: string) => museId,
  events: EVENTS,
  initial: [] as Webhooks,
  evolve(hooks: Webhooks, event: WebhookEvent): Webhooks {
    const updateHook = (change: (hook: Hook) => Hook) =>
      hooks.map(hook => (hook.webhook === event.data.webhook ? change(hook) : hook));
    switch (event.type) {
      case 'WebhookCreated':
        return [...hooks, fromCreated(event)];
      case 'WebhookRotated':
        return updateHook(hook => withSecret(hook, event));
      case 'WebhookMoved':
        return updateHook(hook => ({ ...hook, ...replayStart(event) }));
      case 'WebhookStopped':
        if (event.data.reason === 'removed') return hooks.filter(({ webhook }) => webhook !== event.data.webhook);
        return pruneStopped(updateHook(hook => ({ ...hook, stopped: event.data.reason })));
      default:
        event satisfies never;
        return hooks;
    }
  },
});

export function fromCreated({ data, at, position, based_on }: CreatedEvent): Hook {
  const { webhook, form, url, events, about, account = null } = data;
  return {
    webhook,
    form,
    url,
    events,
    about,
    created_at: at,
    after: position,
    since: position,
    allowedAt: based_on[Muse.streamName(data.muse_id)] ?? -1,
    secrets: [{ number: FIRST_SECRET, until: null }],
    stopped: null,
    account,
  };
}

/** A replay from a future position starts at the replay event instead. */
export function replayStart({ data: { after }, position }: EventOf<typeof WebhookMoved>) {
  return { after: after < position ? after : position, since: position };
}

function withSecret(hook: Hook, { at, data: { number } }: EventOf<typeof WebhookRotated>): Hook {
  const replaced = hook.secrets.map(secret => ({ ...secret, until: secret.until ?? at + ROTATED_SECRET_MS }));
  return { ...hook, secrets: [...replaced, { number, until: null }].slice(-SIGNING_SECRETS_MAX) };
}

export const nextSecretNumber = ({ secrets }: Hook) => secrets.at(-1)!.number + 1;

function pruneStopped(hooks: Webhooks): Webhooks {
  const stopped = hooks.filter(isStopped);
  const oldest = stopped.slice(0, Math.max(0, stopped.length - STOPPED_MAX));
  return hooks.filter(hook => !oldest.includes(hook));
}

const isStopped = ({ stopped }: Hook) => stopped !== null;

export const liveHooks = (hooks: Webhooks) => hooks.filter(hook => !isStopped(hook));

export const findHook = (hooks: Webhooks, webhook: number) => hooks.find(hook => hook.webhook === webhook);

/** Why the owner's access, and so the webhook, has ended; null if it has not. */
export function stopReasonOf({ allowedAt, account }: Hook, muse: Muse): StopReason | null {
  if (muse.status === 'unknown') return null;
  if (muse.status === 'forgotten') return 'forgotten';
  const { accessEnded } = muse;
  if (accessEnded && accessEnded.revision > allowedAt) return accessEnded.reason;
  const isOfTokens = !account || [...(muse.tokenLimits ?? [])].some(([, each]) => each.account === account);
  return isOfTokens ? null : 'tokens_revoked';
}
