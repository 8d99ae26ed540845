import { assertInStream, readSources } from '#libs/endpoints/decision.js';
import { executeAsOperator, type OperatorAction, operatorDecision } from '#libs/endpoints/operator-decisions.js';
import { isKnownMuse, type Muse } from '#libs/domain/muse.js';
import type { Fact } from '#libs/kernel/event.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { decideEscrow, isEscrowOpen } from './domain/escrow.js';
import { EscrowDecided, hasDelivery, Hire } from './domain/hire.js';
import { partySources } from './party-sources.js';

type Receiver = Parameters<typeof EscrowDecided>[0]['to'];

interface Parties {
  readonly poster: Muse | undefined;
  readonly worker: Muse | undefined;
}

const isSuspended = (muse: Muse | undefined) => muse !== undefined && isKnownMuse(muse) && muse.suspended;

/** The operator decides only what the parties cannot: a dispute, or an escrow with a suspended party. */
export function decideAsOperator(hire: Hire, { poster, worker }: Parties, to: Receiver): Fact[] {
  if (hire.status === 'unknown' || !hire.funding)
    throw new Refusal('not_found', 'There is no such hire with an escrow.');
  rule(isEscrowOpen(hire), 'escrow_over', 'It is decided where the escrow of this hire goes.');
  rule(
    hire.dispute !== null || isSuspended(poster) || isSuspended(worker),
    'escrow_holds',
    'The escrow holds: you can decide it while it is disputed, or while you suspend a party.',
  );
  rule(to === 'poster' || hasDelivery(hire), 'not_delivered', 'This hire has no delivery yet.');
  return decideEscrow(hire, to, 'operator');
}

export const awardEscrow = operatorDecision('award-escrow', {
  writes: [EscrowDecided],
  decide({ event, own, read }) {
    const { hire, to } = event.data as { readonly hire: number; readonly to: Receiver };
    assertInStream(event, Hire.streamName(hire));
    const state = own(Hire);
    return decideAsOperator(state, readSources(partySources(state), { read }), to);
  },
});

/** Throws a `Refusal` if the operator may not decide the escrow. */
export const executeAward = (action: OperatorAction, hire: number, to: Receiver): Promise<boolean> =>
  executeAsOperator(awardEscrow, action, {
    writes: Hire.source(hire),
    reads: partySources,
    decide: (state, _at, parties) => decideAsOperator(state, parties, to),
  });
