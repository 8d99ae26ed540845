import type { Escrow } from '#libs/domain/escrow.js';
import type { Fact } from '#libs/kernel/event.js';
import type { Ids } from '#libs/kernel/ids.js';
import { endOfHire } from './end-of-hire.js';
import { EscrowClosed, type Hire, type KnownHire, Paid, partiesOf, WageLost } from './hire.js';

/** Name of the decision that writes them. */
export const FOLLOW_ESCROW = 'follow-escrow';

interface EndedEscrow {
  readonly payment: string;
  readonly escrow: Escrow;
}

/** Lists the facts of an ended escrow that the stream of its hire lacks. */
export function factsOfEscrow(hire: Hire, ended: EndedEscrow, ids: Ids): Fact[] {
  if (hire.status === 'unknown' || hire.funding?.payment !== ended.payment) return [];
  switch (ended.escrow.status) {
    case 'open':
      return [];
    case 'released':
      return payWage(hire, ended, ids);
    case 'returned':
      return closeEscrow(hire, ended);
    case 'lost':
      return [...closeEscrow(hire, ended), ...endUnsecured(hire)];
  }
}

/** The contract has paid the worker: there is no other receipt. */
function payWage(hire: KnownHire, { payment, escrow }: EndedEscrow, ids: Ids): Fact[] {
  if (hire.status !== 'delivered' || hire.wage === null || escrow.end === null) return [];
  const { delivery, digest = null } = hire.delivery;
  const { amount, usd, token, rail, network } = hire.wage;
  const { tx, block } = escrow.end;
  const item = ids.item('receipt');
  const wage = { payment, delivery, digest, item, amount, usd, token, rail, network, tx, block };
  return [Paid({ ...partiesOf(hire), ...wage })];
}

/** A reorganisation may have taken back a release. */
function closeEscrow(hire: KnownHire, { payment }: EndedEscrow): Fact[] {
  const isPaid = hire.status === 'paid' && hire.paid.data.payment === payment;
  const closed = hire.isEscrowClosed ? [] : [EscrowClosed({ ...partiesOf(hire), payment })];
  return [...(isPaid ? [WageLost(hire.paid.data)] : []), ...closed];
}

const endUnsecured = (hire: KnownHire): Fact[] =>
  hire.status === 'hired' ? [endOfHire(hire, { by: null, reason: 'escrow_lost' })] : [];
