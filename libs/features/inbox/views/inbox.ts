import { Applied } from '#libs/features/jobs/domain/application.js';
import { Connected, ConnectionRequested } from '#libs/features/network/domain/connection.js';
import { Endorsed, Recommended } from '#libs/features/network/domain/endorsement.js';
import {
  Accepted,
  Delivered,
  DeliveryRead,
  Disputed,
  HireEnded,
  Hired,
  Paid,
  Rechecked,
} from '#libs/features/hires/domain/hire.js';
import { JobClosed, JobOffered, Withdrawn } from '#libs/features/jobs/domain/job.js';
import { KeyBound } from '#libs/domain/muse.js';
import { Posted } from '#libs/features/feed/domain/post.js';
import { ProjectJoined } from '#libs/features/projects/domain/project.js';
import { Reacted } from '#libs/features/feed/domain/reaction.js';
import { MessageSent } from '#libs/features/messages/domain/message.js';
import { WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Authorization, Event } from '#libs/kernel/event.js';
import * as d from '#libs/views/document-schema.js';
import type { InboxKind } from './inbox-kinds.js';
import { on, defineProjection } from '#libs/views/projection.js';

/** Ids, amounts and clear words. Texts are joined when the inbox is read. */
const about = d.mapOf(d.orNull(d.scalar));

/** Items that fan out, such as closed roles, are joined by the query. */
export const InboxDocument = d.object({ muse: d.museId, kind: d.text, about, at: d.time, since: d.position });
export type InboxDocument = d.DocumentOf<typeof InboxDocument>;
type ItemSubject = InboxDocument['about'];

type Notification = readonly [muse: string, kind: InboxKind, about: ItemSubject];

/** One item per muse, kind and event. */
const keyOf = (muse: string, kind: string, event: Event) => `${muse}/${kind}/${event.id}`;

function notifyOn<E extends { readonly type: string }>(
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
const notifyPoster = (museId: string | null, kind: InboxKind, about: ItemSubject): Notification[] =>
  museId === null ? [] : [[museId, kind, about]];

type HirePartyData = {
  readonly hire: number;
  readonly poster: string | null;
  readonly worker: string;
  readonly by: string;
};

const notifyOtherParty = (
  { poster, worker, by }: HirePartyData,
  kind: InboxKind,
  about: ItemSubject,
): Notification[] => (by === worker ? notifyPoster(poster, kind, about) : [[worker, kind, about]]);

/** `by` of `key_changed`; null for the key of the house, which follows its vault. */
const KEY_CHANGED_BY: { readonly [mode in Authorization['mode']]: string | null } = {
  signature: 'signature',
  bearer: 'token',
  service: 'sibling',
  operator: null,
};

function notifyKeyChanged({ data, authorization: { mode } }: EventOf<typeof KeyBound>): Notification[] {
  const by = KEY_CHANGED_BY[mode];
  return data.replaces === undefined || by === null ? [] : [[data.muse_id, 'key_changed', { by }]];
}

/** A muse is not notified of stops that it caused itself. */
const notifyWebhookStopped = ({
  data: { muse_id, webhook, reason },
}: EventOf<typeof WebhookStopped>): Notification[] =>
  reason === 'removed' || reason === 'forgotten' ? [] : [[muse_id, 'webhook_stopped', { webhook }]];

export const InboxItems = defineProjection('inbox', InboxDocument, {
  shape: '1a5eb6ff',
  idsBegin: 'muse/',
  indexes: { byMuse: ['muse', 'since'], bySince: ['since'] },
  steps: [
    notifyOn(ConnectionRequested, ({ data: { by, to } }) => [[to, 'connection_request', { from: by }]]),
    notifyOn(Connected, ({ data: { by, to } }) => [[to, 'connected', { with: by }]]),
    notifyOn(Endorsed, ({ data: { from, to, skill, hire } }) => [[to, 'endorsement', { from, skill, hire }]]),
    notifyOn(Recommended, ({ data: { from, to } }) => [[to, 'recommendation', { from }]]),
    notifyOn(Applied, ({ data }) => notifyPoster(data.poster, 'application', { role: data.role, from: data.muse_id })),
    notifyOn(Withdrawn, ({ data }) => notifyPoster(data.poster, 'withdrawn', { role: data.role, from: data.muse_id })),
    notifyOn(JobOffered, ({ data: { role, candidates } }) =>
      candidates.map(({ muse_id }) => [muse_id, 'job_alert', { role }]),
    ),
    notifyOn(JobClosed, ({ data: { role, poster, seats_left = 0 } }) =>
      seats_left > 0 ? notifyPoster(poster, 'job_expired', { role, seats_left }) : [],
    ),
    notifyOn(Hired, ({ data: { role, hire, worker } }) => [[worker, 'hired', { role, hire }]]),
    notifyOn(Delivered, ({ data }) => notifyPoster(data.poster, 'delivered', { hire: data.hire, from: data.worker })),
    notifyOn(Accepted, ({ data: { hire, worker } }) => [[worker, 'accepted', { hire }]]),
    notifyOn(Disputed, ({ data }) => notifyOtherParty(data, 'disputed', { hire: data.hire, from: data.by })),
    notifyOn(Rechecked, ({ data: { hire, by, result, worker, ...data } }) => [
      ...notifyPoster(data.poster, 'rechecked', { hire, by, result }),
      [worker, 'rechecked', { hire, by, result }],
    ]),
    notifyOn(DeliveryRead, ({ data: { hire, role, worker, outdated_for = [] } }) =>
      outdated_for.map(muse => [muse, 'redelivered', { hire, role, from: worker }]),
    ),
    notifyOn(Paid, ({ data: { hire, worker, usd, token, tx } }) => [
      [worker, 'paid', { hire, amount_usd: usd, token, tx }],
    ]),
    notifyOn(HireEnded, ({ data }) => notifyOtherParty(data, 'hire_ended', { hire: data.hire, by: data.by })),
    notifyOn(Posted, ({ data: { post, muse_id: from, parent_id, parent_by, mentions } }) => {
      const reply = { post_id: parent_id, reply_id: post, from };
      const mentioned = mentions.filter(muse => muse !== from && muse !== parent_by);
      const notices = mentioned.map((muse): Notification => [muse, 'mention', { post_id: post, from }]);
      return parent_by === null || parent_by === from ? notices : [[parent_by, 'reply', reply], ...notices];
    }),
    notifyOn(Reacted, ({ data: { item, muse_id: from, to, reaction } }) =>
      reaction === null || to === null || to === from
        ? []
        : [[to, 'reaction', { post_id: item, type: reaction, from }]],
    ),
    notifyOn(ProjectJoined, ({ data: { project, muse_id: from, founder, co_founder } }) => {
      const founders = [founder, co_founder].filter(muse => muse !== null && muse !== from);
      return founders.map((muse): Notification => [muse!, 'project_joined', { project, from }]);
    }),
    notifyOn(KeyBound, notifyKeyChanged),
    notifyOn(WebhookStopped, notifyWebhookStopped),
    notifyOn(MessageSent, ({ data: { message, from, to, payment } }) => [
      [to, 'message', { message_id: message, from, paid: payment !== null }],
      [from, 'message_sent', { message_id: message, to, paid: payment !== null }],
    ]),
  ],
});
