import { EscrowLost, EscrowReturned } from '#libs/domain/escrow.js';
import { nextEscrowTime } from '#libs/features/hires/domain/escrow.js';
import {
  Delivered,
  DeliveryRead,
  Disputed,
  DisputeWithdrawn,
  EscrowDecided,
  EscrowFunded,
  ReviewEndsSoon,
} from '#libs/features/hires/domain/hire.js';
import { byEscrowedHire } from './escrow-review.js';
import * as d from '#libs/views/document-schema.js';
import { by, defineProjection, on, onExisting, removeOn } from '#libs/views/projection.js';

/** An escrow whose end is not decided, with the times that its decision depends on. */
export const OpenEscrowDocument = d.object({
  hire: d.id,
  poster: d.orNull(d.museId),
  worker: d.museId,
  payment: d.text,
  hired_at: d.time,
  work_days: d.integer,
  review_days: d.integer,
  arbiter: d.orNull(d.museId),
  unread_since: d.orNull(d.time),
  review_from: d.orNull(d.time),
  held_from: d.orNull(d.time),
  reminded: d.flag,
  /** Version of the delivery that was read last. */
  version: d.integer,
  /** When the service has to act next. */
  next: d.time,
});
export type OpenEscrowDocument = d.DocumentOf<typeof OpenEscrowDocument>;

const byHire = by('hire');
const withNext = (escrow: OpenEscrowDocument): OpenEscrowDocument => ({ ...escrow, next: nextEscrowTime(escrow) });

export const OpenEscrows = defineProjection('open_escrows', OpenEscrowDocument, {
  shape: 'b6183757',
  indexes: { byNext: ['next'], byPoster: ['poster?'], byWorker: ['worker'], byArbiter: ['arbiter?', 'held_from?'] },
  steps: [
    on(EscrowFunded, byHire, (_escrow, { data, at }) => {
      const { hire, poster, worker, payment, terms } = data;
      const { work_days, review_days, arbiter } = terms;
      const times = { hired_at: at, work_days, review_days, arbiter, unread_since: null, review_from: null };
      const escrow = { hire, poster, worker, payment, ...times, held_from: null, reminded: false, version: 0 };
      return withNext({ ...escrow, next: at });
    }),
    onExisting(Delivered, byHire, (escrow, { at }) => withNext({ ...escrow, unread_since: at })),
    onExisting(DeliveryRead, byHire, (escrow, { data, at }) => {
      if (data.digest === null || data.delivery <= escrow.version) return escrow;
      const read = { version: data.delivery, review_from: at, unread_since: null, reminded: false };
      return withNext({ ...escrow, ...read });
    }),
    onExisting(Disputed, byHire, (escrow, { at }) => withNext({ ...escrow, held_from: escrow.held_from ?? at })),
    onExisting(DisputeWithdrawn, byHire, escrow => withNext({ ...escrow, held_from: null })),
    onExisting(ReviewEndsSoon, byHire, escrow => withNext({ ...escrow, reminded: true })),
    removeOn<OpenEscrowDocument, typeof EscrowDecided>(EscrowDecided, byHire),
    removeOn<OpenEscrowDocument, typeof EscrowReturned>(EscrowReturned, byEscrowedHire),
    removeOn<OpenEscrowDocument, typeof EscrowLost>(EscrowLost, byEscrowedHire),
  ],
});
