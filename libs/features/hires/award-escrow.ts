import { randomUUID } from 'node:crypto';
import { assertInStream, defineDecision, formatDecidedBy, readSources } from '#libs/endpoints/decision.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import { type StreamSource, systemContext } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { decideEscrow, isEscrowOpen } from './domain/escrow.js';
import { EscrowDecided, hasDelivery, Hire } from './domain/hire.js';

type Receiver = Parameters<typeof EscrowDecided>[0]['to'];

interface Parties {
  readonly poster: Muse | undefined;
  readonly worker: Muse | undefined;
}

const partiesOfHire = (hire: Hire): { readonly [party in keyof Parties]: StreamSource<Muse> | undefined } =>
  hire.status === 'unknown'
    ? { poster: undefined, worker: undefined }
    : { poster: Muse.source(resolvePosterId(hire.poster)), worker: Muse.source(hire.worker) };

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

export const awardEscrow = defineDecision('award-escrow', {
  by: 'operator',
  writes: [EscrowDecided],
  causes: ['operator/award-escrow/<uuid>'],
  decide({ event, own, read }) {
    const { hire, to } = event.data as { readonly hire: number; readonly to: Receiver };
    assertInStream(event, Hire.streamName(hire));
    const state = own(Hire);
    return decideAsOperator(state, readSources(partiesOfHire(state), { read }), to);
  },
});

interface OperatorAward {
  readonly hire: number;
  readonly to: Receiver;
  /** Public. */
  readonly reason: string;
}

/** Throws a `Refusal` if the operator may not decide the escrow. */
export async function executeAward(
  { journal, clock }: { readonly journal: Journal; readonly clock: Clock },
  { hire, to, reason }: OperatorAward,
): Promise<void> {
  const cause = `operator/${awardEscrow.name}/${randomUUID()}`;
  const context = systemContext('operator', reason, {
    at: clock.now(),
    cause,
    decidedBy: formatDecidedBy(awardEscrow),
  });
  await executeCommand(journal, context, {
    writes: Hire.source(hire),
    reads: partiesOfHire,
    decide: (state, parties) => decideAsOperator(state, parties, to),
  });
}
