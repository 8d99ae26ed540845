import { replayStart, WebhookCreated, WebhookMoved, WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import type { EventOf } from '#libs/domain/define.js';
import * as d from '#libs/views/document-schema.js';
import { INBOX_KINDS } from '#libs/views/notifications.js';
import { by, onExisting, on, defineProjection } from '#libs/views/projection.js';

const EVERY_KIND = '*';

/** Has no address: addresses are private and stay in the event log. */
const Hook = d.object({
  webhook: d.id,
  form: d.oneOf('standard', 'a2a'),
  events: d.orNull(d.list(d.text)),
  about: d.orNull(d.text),
  /** Account of the token with limits that created it. Such a webhook carries no `owner_asked`. */
  account: d.orNull(d.text),
  /** Events after `after` are sent; `since` is the position of the event that set it. */
  after: d.position,
  since: d.position,
});
export type LiveHook = d.DocumentOf<typeof Hook>;

/** Active webhooks of a muse. */
export const WebhooksDocument = d.object({
  muse: d.museId,
  hooks: d.list(Hook),
  /** Inbox kinds that any of the webhooks subscribes to; `EVERY_KIND` for all. */
  kinds: d.list(d.text),
  /** Position of the last change. */
  changed: d.position,
});
export type WebhooksDocument = d.DocumentOf<typeof WebhooksDocument>;

const KINDS: ReadonlySet<string> = new Set(INBOX_KINDS);
const isKind = (name: string) => KINDS.has(name);
const byMuse = by('muse_id');

type HookEvent = EventOf<typeof WebhookCreated | typeof WebhookMoved | typeof WebhookStopped>;

function withHooks({ data: { muse_id: muse }, position }: HookEvent, hooks: readonly LiveHook[]): WebhooksDocument {
  const kinds = hooks.flatMap(({ events }) => events?.filter(isKind) ?? [EVERY_KIND]);
  return { muse, hooks: [...hooks], kinds: [...new Set(kinds)], changed: position };
}

export const isSubscribedTo = ({ events, account }: LiveHook, kind: string) =>
  (events === null || events.includes(kind)) && (account === null || kind !== 'owner_asked');

export const typesOf = ({ events }: LiveHook) => events?.filter(name => !isKind(name)) ?? [];

/** Keys of `byKind` that match an inbox kind. */
export const namesOfKind = (kind: string) => [kind, EVERY_KIND];

export const WebhooksView = defineProjection('webhooks', WebhooksDocument, {
  shape: '772b1d61',
  indexes: { byKind: ['kinds[]'], byChange: ['changed'] },
  steps: [
    on(WebhookCreated, byMuse, (document, event) => {
      const { webhook, form, events, about, account = null } = event.data;
      const hook = { webhook, form, events, about, account, after: event.position, since: event.position };
      return withHooks(event, [...(document?.hooks ?? []), hook]);
    }),
    onExisting(WebhookMoved, byMuse, ({ hooks }, event) => {
      const { webhook } = event.data;
      const replayed = (hook: LiveHook) => (hook.webhook === webhook ? { ...hook, ...replayStart(event) } : hook);
      return withHooks(event, hooks.map(replayed));
    }),
    onExisting(WebhookStopped, byMuse, ({ hooks }, event) =>
      withHooks(
        event,
        hooks.filter(({ webhook }) => webhook !== event.data.webhook),
      ),
    ),
  ],
});
