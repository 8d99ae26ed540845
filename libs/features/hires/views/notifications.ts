import {
  Accepted,
  Delivered,
  DeliveryDue,
  DeliveryRead,
  Disputed,
  HireEnded,
  Hired,
  Paid,
  PayoutAsked,
  ReviewEndsSoon,
  Rechecked,
  RevisionAsked,
  WageDue,
} from '#libs/features/hires/domain/hire.js';
import { EscrowReleased, EscrowReturned, EscrowSecured } from '#libs/domain/escrow.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { EventOf } from '#libs/domain/define.js';
import { Hires } from './hires.js';
import { loadRevisionText } from './revision-text.js';
import { loadTitle } from '#libs/features/jobs/views/notifications.js';
import {
  type InboxKind,
  type Notification,
  notifyOn,
  notifyPoster,
  type NotificationTexts,
} from '#libs/views/notifications.js';

type HirePartyData = {
  readonly hire: number;
  readonly poster: string | null;
  readonly worker: string;
  readonly by: string | null;
};

const notifyOtherParty = (
  { poster, worker, by }: HirePartyData,
  kind: Notification[1],
  about: Notification[2],
): Notification[] => [
  ...(by === null || by === worker ? notifyPoster(poster, kind, about) : []),
  ...(by === worker ? [] : [[worker, kind, about] satisfies Notification]),
];

type EscrowEndData = EventOf<typeof EscrowReleased | typeof EscrowReturned>['data'];

/** A payment whose hire was not made does not concern the worker. */
function notifyParties({ hire, poster, worker, reason, tx }: EscrowEndData, kind: Notification[1]) {
  const about = { hire: hire ?? null, reason, tx };
  return [...notifyPoster(poster, kind, about), ...(worker ? [[worker, kind, about] satisfies Notification] : [])];
}

export const HIRE_NOTIFICATIONS = [
  notifyOn(ReviewEndsSoon, ({ data }) =>
    notifyPoster(data.poster, 'review_ends_soon', { hire: data.hire, ends_at: data.ends_at }),
  ),
  notifyOn(DeliveryDue, ({ data: { hire, role, worker, deliver_by } }) => [
    [worker, 'delivery_due', { hire, role, deliver_by }],
  ]),
  notifyOn(WageDue, ({ data: { hire, role, poster, worker, state, due_at } }) => {
    const about = { hire, role, state, due_at };
    const toWorker: Notification[] = state === 'overdue' ? [[worker, 'payment_due', about]] : [];
    return [...notifyPoster(poster, 'payment_due', about), ...toWorker];
  }),
  notifyOn(Hired, ({ data: { role, hire, worker } }) => [[worker, 'hired', { role, hire }]]),
  notifyOn(Delivered, ({ data }) => notifyPoster(data.poster, 'delivered', { hire: data.hire, from: data.worker })),
  notifyOn(Accepted, ({ data: { hire, worker } }) => [[worker, 'accepted', { hire }]]),
  notifyOn(Disputed, ({ data }) => [
    ...notifyOtherParty(data, 'disputed', { hire: data.hire, from: data.by }),
    ...(data.arbiter
      ? [[data.arbiter, 'arbiter_asked', { hire: data.hire, from: data.by }] satisfies Notification]
      : []),
  ]),
  notifyOn(EscrowSecured, ({ data: { hire = null, worker } }) =>
    worker === undefined ? [] : [[worker, 'escrow_funded', { hire }]],
  ),
  notifyOn(EscrowReleased, ({ data }) => notifyParties(data, 'escrow_released')),
  notifyOn(EscrowReturned, ({ data }) => notifyParties(data, 'escrow_returned')),
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
  notifyOn(PayoutAsked, ({ data: { hire, role, worker, by } }) => [[worker, 'payout_asked', { hire, role, from: by }]]),
  notifyOn(RevisionAsked, ({ data: { hire, role, worker, by, count } }) => [
    [worker, 'revision_asked', { hire, role, from: by, count }],
  ]),
  notifyOn(HireEnded, ({ data }) => notifyOtherParty(data, 'hire_ended', { hire: data.hire, by: data.by })),
];

/** The job of a hire, so that its notice can name it. */
async function loadJob(models: ReadModels, hire: unknown) {
  const role = (await models.of(Hires).get(String(hire)))?.body.role ?? null;
  return { role, ...(await loadTitle(models, role)) };
}

const withJob: NotificationTexts[InboxKind] = ({ hire }, { models }) => loadJob(models, hire);

const withEscrow: NotificationTexts[InboxKind] = async ({ hire }, { models }) => {
  const { operator_reason } = (await models.of(Hires).get(String(hire)))?.body.escrow ?? {};
  return { ...(await loadJob(models, hire)), ...(operator_reason !== undefined && { operator_reason }) };
};

export const HIRE_TEXTS: NotificationTexts = {
  hired: async ({ role, hire }, { models }) => ({
    ...(await loadTitle(models, role)),
    wage: (await models.of(Hires).get(String(hire)))?.body.wage ?? null,
  }),
  revision_asked: async ({ role, hire, count }, { models, journal }) => ({
    ...(await loadTitle(models, role)),
    text: await loadRevisionText(journal, Number(hire), Number(count)),
  }),
  payout_asked: ({ role }, { models }) => loadTitle(models, role),
  delivery_due: ({ role }, { models }) => loadTitle(models, role),
  payment_due: async ({ role, hire }, { models }) => ({
    ...(await loadTitle(models, role)),
    amount_usd: (await models.of(Hires).get(String(hire)))?.body.wage?.usd ?? null,
  }),
  delivered: withJob,
  review_ends_soon: withJob,
  escrow_funded: async ({ hire }, { models }) => ({
    ...(await loadJob(models, hire)),
    amount_usd: (await models.of(Hires).get(String(hire)))?.body.escrow?.usd ?? null,
  }),
  escrow_released: withEscrow,
  escrow_returned: withEscrow,
  arbiter_asked: withJob,
  accepted: withJob,
  disputed: withJob,
  rechecked: withJob,
  redelivered: withJob,
  paid: withJob,
  hire_ended: async ({ hire }, { models }) => ({
    ...(await loadJob(models, hire)),
    reason: (await models.of(Hires).get(String(hire)))?.body.ended?.reason ?? null,
  }),
};
