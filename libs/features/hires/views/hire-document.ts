import { Budget } from '#libs/features/jobs/domain/job-fields.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import * as w from '#libs/values/answer-schema.js';
import * as d from '#libs/views/document-schema.js';
import { StateReference } from '#libs/views/state-reference.js';
import { DeliveryVersion } from './deliveries.js';

const { with_itself: _derived, ...lastRecheck } = shapes.LastRecheck.properties;
const CheckCounts = d.stored(shapes.CheckCounts);

export const HireDocument = d.object({
  hire: d.id,
  item: d.item,
  role: d.slug,
  poster: d.orNull(d.museId),
  worker: d.museId,
  project: d.orNull(d.slug),
  crew: d.orNull(d.text),
  budget: d.orNull(d.stored(Budget)),
  wage: d.orNull(d.stored(Budget)),
  applied_at: d.time,
  note_commitment: d.digest,
  deliver_by: d.orNull(d.time),
  pay_within_days: d.orNull(d.integer),
  terms_digest: d.orNull(d.digest),
  /** Revision of the event that holds the terms; null for an instant task. */
  terms_revision: d.orNull(d.integer),
  created_at: d.time,
  updated_at: d.time,
  proves: d.list(d.text),
  delivery: d.orNull(DeliveryVersion),
  /** Set while the address of the latest delivery has other content. */
  drift: d.orNull(d.object({ at: d.time, digest: d.digest, was: d.digest })),
  /** Whether the latest delivery could not be read yet. */
  unreadable: d.flag,
  /** Counts of the rechecks that count; null before the first one. `rechecks` has all of them. */
  check_counts: d.orNull(CheckCounts),
  /** Counts of the rechecks of the latest version alone. */
  own_counts: d.orNull(CheckCounts),
  /** The newest of the rechecks that count. */
  last_recheck: d.orNull(d.stored(w.object(lastRecheck))),
  /** Author of `last_recheck`. */
  checked_by: d.orNull(d.museId),
  acceptance: d.orNull(d.object({ at: d.time, by: d.museId, note: d.orNull(d.text), positive: d.flag })),
  dispute: d.orNull(d.stored(shapes.Dispute)),
  ended: d.orNull(d.stored(shapes.Ended)),
  revision: d.orNull(d.stored(shapes.Revision)),
  /** `moved_at`: when a reorganisation moved the transfer to another block. */
  paid: d.orNull(
    d.object({ item: d.item, tx: d.transaction, block: d.integer, at: d.time, moved_at: d.orNull(d.time) }),
  ),
  /** The latest lost wage, until another one is paid. */
  lost: d.orNull(d.object({ tx: d.transaction, at: d.time, paid_at: d.time })),
  escrow: d.orNull(d.stored(shapes.Escrow)),
  /** Days of the review of an escrowed delivery; null without an escrow. */
  review_days: d.orNull(d.integer),
  /** Whether it still needs work: a delivery, an acceptance or a payment. */
  is_open: d.flag,
  /** Keyed by text, such as `dispute`: the later identity that wrote it for its party. `later_authors` lists them all. */
  authors: d.mapOf(d.museId),
  later_authors: d.list(d.museId),
  /** The first ones; `later_states` has the rest. */
  states: d.list(StateReference),
  opened: d.position,
});
export type HireDocument = d.DocumentOf<typeof HireDocument>;
