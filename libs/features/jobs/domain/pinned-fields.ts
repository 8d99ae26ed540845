import * as f from '#libs/domain/event-fields.js';

/** Fields by which a hire refers to the terms of its job. */
export const PINNED_FIELDS = {
  terms_digest: f.clear(
    f.optional(f.digest),
    'SHA-256 of the canonical JSON of the terms at the hire, lower-case hex; absent for an instant task',
  ),
  terms_revision: f.clear(
    f.optional(f.integer),
    'Revision of the event of the job that holds the terms; absent for an instant task',
  ),
  pay_within_days: f.clear(f.optional(f.integer), 'Days to pay the wage; absent without a term'),
  deliver_by: f.clear(
    f.optional(f.time),
    'The hire ends without a delivery at this time, unix ms; absent without a deadline',
  ),
};
