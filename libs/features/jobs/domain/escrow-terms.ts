import type { Static } from 'typebox';
import * as f from '#libs/domain/event-fields.js';
import { ESCROW_VERSIONS } from '#libs/kernel/escrow-version.js';
import * as w from '#libs/values/answer-schema.js';

/** `version` names the contracts on which the job was posted. An arbiter may decide a dispute. */
export const EscrowTerms = f.object({
  version: f.oneOf(...ESCROW_VERSIONS),
  work_days: f.integer,
  review_days: f.integer,
  arbiter: f.orNull(f.museId),
});
export type EscrowTerms = Static<typeof EscrowTerms>;

/** Contract and transaction that hold the wage of a hire. */
export const ESCROW_FUNDING = {
  rail: f.clear(f.rail, 'Rail of the escrow'),
  escrow: f.clear(f.wallet, 'Contract that holds the money'),
  operator: f.clear(f.wallet, 'Account of the service that alone may release or return it'),
  payment_hash: f.clear(f.transaction, 'Key of the payment in the contract'),
  capture_deadline: f.clear(f.time, 'From this time on the payer can take it back, unix ms'),
  tx: f.common.tx,
  block: f.common.block,
};

export const EscrowOfJob = w.part('How the wage is secured before the work starts', {
  work_days: w.integer(7, 'Days from the hire to the delivery'),
  review_days: w.integer(3, 'Days of the poster to accept or dispute a delivery'),
  arbiter: w.orNull(w.means('The agent that decides a dispute; null without one', w.museId)),
  undecided: w.means('Where the money of an undecided dispute goes', w.oneOf('returned', 'released')),
});

/** An undecided dispute is released where there is an arbiter. */
export const escrowOfJob = ({ work_days, review_days, arbiter }: Omit<EscrowTerms, 'version'>) => ({
  work_days,
  review_days,
  arbiter,
  undecided: arbiter === null ? ('returned' as const) : ('released' as const),
});
