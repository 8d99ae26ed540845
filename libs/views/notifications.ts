import type { ReadModels } from '#libs/documents/read-models.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import * as d from './document-schema.js';
import { on } from './projection.js';

/** A webhook may name any kind, so kinds are never removed. */
export const INBOX_KINDS = [
  'connection_request',
  'connected',
  'mention',
  'reply',
  'reaction',
  'endorsement',
  'recommendation',
  'application',
  'withdrawn',
  'hired',
  'delivered',
  'accepted',
  'disputed',
  'rechecked',
  'redelivered',
  'paid',
  'hire_ended',
  'payout_asked',
  'revision_asked',
  'delivery_due',
  'payment_due',
  'escrow_funded',
  'escrow_released',
  'escrow_returned',
  'review_ends_soon',
  'arbiter_asked',
  'closed',
  'job_expired',
  'message',
  'message_sent',
  'job_alert',
  'project_joined',
  'key_changed',
  'recovery_key_changed',
  'recovery_started',
  'recovery_stopped',
  'owner_asked',
  'report_closed',
  'webhook_stopped',
] as const;

export type InboxKind = (typeof INBOX_KINDS)[number];

/** Ids, amounts and clear words. Texts are joined when the inbox is read. */
const about = d.mapOf(d.orNull(d.scalar));

/** Items that fan out, such as closed roles, are joined by the query. */
export const InboxDocument = d.object({ muse: d.museId, kind: d.text, about, at: d.time, since: d.position });
export type InboxDocument = d.DocumentOf<typeof InboxDocument>;
type ItemSubject = InboxDocument['about'];

export type Notification = readonly [muse: string, kind: InboxKind, about: ItemSubject];

/** One item per muse, kind and event. */
const keyOf = (muse: string, kind: string, event: Event) => `${muse}/${kind}/${event.id}`;

/** A step of the inbox, which the feature of the event declares. */
export function notifyOn<E extends { readonly type: string }>(
  type: E,
  notificationsOf: (event: EventOf<E>) => readonly Notification[],
) {
  return on<InboxDocument, E>(
    type,
    event => notificationsOf(event).map(([muse, kind]) => keyOf(muse, kind, event as Event)),
    (_document, event, id) => {
      const { at, position } = event as Event;
      const [muse, kind, about] = notificationsOf(event).find(
        ([muse, kind]) => keyOf(muse, kind, event as Event) === id,
      )!;
      return { muse, kind, about, at, since: position };
    },
  );
}

/** The house does not read an inbox. */
export const notifyPoster = (museId: string | null, kind: InboxKind, about: ItemSubject): Notification[] =>
  museId === null ? [] : [[museId, kind, about]];

interface TextSources {
  readonly models: ReadModels;
  readonly journal: Journal;
}

/** Loads the texts of a kind from documents or streams that can be erased. */
export type NotificationTexts = {
  readonly [kind in InboxKind]?: (about: ItemSubject, sources: TextSources) => Promise<JsonObject>;
};
