import { DAY_MS } from '#libs/kernel/clock.js';
import type { Position, Revision } from '#libs/kernel/event.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { Muse } from '#libs/domain/muse.js';

/** How long what a rotation has replaced signs too. */
export const ROTATED_KEPT_MS = DAY_MS;
/** The number of the secret that a hook begins with. */
export const FIRST_SECRET = 1;
/** How many secrets of one hook sign at once, the newest. */
const SECRETS_MAX = 5;
/** How many hooks that have stopped are remembered until they are removed, the newest. */
const STOPPED_MAX = 5;

const PRIVATE = { privateType: true, askedFor: 'webhook' } as const;
const OF_HOOK = { webhook: f.clear(f.id), muse_id: f.clear(f.museId) };

/**
 * What is told goes to an address from now on. `form` is what its bodies are like; `events` are the kinds and types that
 * it is told of, null for every kind of the muse's inbox; `about` narrows those that are public, to a muse or to a role.
 */
export const WebhookCreated = defineEvent(
  'WebhookCreated',
  {
    ...OF_HOOK,
    form: f.clear(f.oneOf('standard', 'a2a')),
    url: f.private(f.text),
    events: f.clear(f.orNull(f.list(f.text))),
    about: f.clear(f.orNull(f.text)),
  },
  PRIVATE,
);

/** A new secret, of this number, signs from now on; those of before for `ROTATED_KEPT_MS` too. The secrets stand in the vault alone. */
export const WebhookRotated = defineEvent('WebhookRotated', { ...OF_HOOK, number: f.clear(f.integer) }, PRIVATE);

/** It is told again of everything behind a position of the log. */
export const WebhookMoved = defineEvent('WebhookMoved', { ...OF_HOOK, after: f.clear(f.text) }, PRIVATE);

/**
 * It is told nothing more. `removed` by its owner, or with the end of the task that it followed, it is forgotten; `gone`
 * and `given_up` follow from its receiver.
 */
export const WebhookStopped = defineEvent(
  'WebhookStopped',
  {
    ...OF_HOOK,
    reason: f.clear(f.oneOf('removed', 'gone', 'given_up', 'suspended', 'key_changed', 'tokens_revoked', 'forgotten')),
  },
  PRIVATE,
);

const EVENTS = [WebhookCreated, WebhookRotated, WebhookMoved, WebhookStopped] as const;

type CreatedEvent = EventOf<typeof WebhookCreated>;
export type StopReason = EventOf<typeof WebhookStopped>['data']['reason'];

/** A webhook. Times are unix ms; `url` is null once its muse has erased itself. */
export interface Hook {
  readonly webhook: number;
  readonly form: CreatedEvent['data']['form'];
  readonly url: string | null;
  readonly events: readonly string[] | null;
  readonly about: string | null;
  readonly created_at: number;
  /** It is told of what stands behind this position of the log. */
  readonly after: Position;
  /** Where the log says so: at its beginning, or where it was replayed. */
  readonly since: Position;
  /** The revision of its muse's stream that it was allowed at; -1 where none is named. */
  readonly allowedAt: Revision;
  /** What signs, the newest last: `until` is null for that one. */
  readonly secrets: readonly { readonly number: number; readonly until: number | null }[];
  /** Null while it is told. */
  readonly stopped: StopReason | null;
}

/** The webhooks of one muse, the oldest first, as its stream `webhook-<muse>` says: one stream, so that it has few. */
export type Webhooks = readonly Hook[];

type WebhookEvent = EventOf<(typeof EVENTS)[number]>;

export const Webhooks = defineStream('webhook', {
  key: (museId: string) => museId,
  events: EVENTS,
  initial: [] as Webhooks,
  evolve(hooks: Webhooks, event: WebhookEvent): Webhooks {
    const changed = (change: (hook: Hook) => Hook) =>
      hooks.map(hook => (hook.webhook === event.data.webhook ? change(hook) : hook));
    switch (event.type) {
      case 'WebhookCreated':
        return [...hooks, fromCreated(event)];
      case 'WebhookRotated':
        return changed(hook => withSecret(hook, event));
      case 'WebhookMoved':
        return changed(hook => ({ ...hook, ...replayStart(event) }));
      case 'WebhookStopped':
        if (event.data.reason === 'removed') return hooks.filter(({ webhook }) => webhook !== event.data.webhook);
        return pruneStopped(changed(hook => ({ ...hook, stopped: event.data.reason })));
      default:
        event satisfies never;
        return hooks;
    }
  },
});

/** A hook as it was set up. */
export function fromCreated({ data, at, position, based_on }: CreatedEvent): Hook {
  const { webhook, form, url, events, about } = data;
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
  };
}

/** From where on a hook is told again; of what is to come it is told once. */
export function replayStart({ data: { after }, position }: EventOf<typeof WebhookMoved>) {
  return { after: after < position ? after : position, since: position };
}

function withSecret(hook: Hook, { at, data: { number } }: EventOf<typeof WebhookRotated>): Hook {
  const before = hook.secrets.map(secret => ({ ...secret, until: secret.until ?? at + ROTATED_KEPT_MS }));
  return { ...hook, secrets: [...before, { number, until: null }].slice(-SECRETS_MAX) };
}

/** The number of the secret that a rotation brings. */
export const nextSecretNumber = ({ secrets }: Hook) => secrets.at(-1)!.number + 1;

function pruneStopped(hooks: Webhooks): Webhooks {
  const stopped = hooks.filter(isStopped);
  const oldest = stopped.slice(0, Math.max(0, stopped.length - STOPPED_MAX));
  return hooks.filter(hook => !oldest.includes(hook));
}

const isStopped = ({ stopped }: Hook) => stopped !== null;

/** Those that are told something. */
export const liveHooks = (hooks: Webhooks) => hooks.filter(hook => !isStopped(hook));

/** One of them. */
export const findHook = (hooks: Webhooks, webhook: number) => hooks.find(hook => hook.webhook === webhook);

/** Why a hook has ended with what its muse had set it up with; null where it has not. */
export function stopReasonOf({ allowedAt }: Hook, muse: Muse): StopReason | null {
  if (muse.status === 'unknown') return null;
  if (muse.status === 'forgotten') return 'forgotten';
  const { accessEnded } = muse;
  return accessEnded && accessEnded.revision > allowedAt ? accessEnded.reason : null;
}
