import {
  Escrow,
  EscrowLost,
  EscrowReleased,
  EscrowReturned,
  EscrowSecured,
  EscrowStuck,
  EscrowSubmitted,
  type EscrowSubmission,
} from '#libs/domain/escrow.js';
import { Payment, type PaymentAcceptedEvent } from '#libs/domain/payment.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Journal, WholeStream } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import { serviceContext } from '#libs/kernel/decide.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { deriveEventId, type Integers } from '#libs/kernel/ids.js';
import type { SignedTransaction } from './chain.port.js';
import type { EscrowCall, EscrowStep } from './escrow-machine.js';
import { acceptedEvent, type PaymentStream } from './ledger.js';

/** Parties of an escrow, as its events name them. */
export interface EscrowParties {
  readonly hire?: number;
  readonly role?: string;
  readonly poster: string | null;
  readonly worker?: string;
}

export interface EscrowStreams {
  readonly payment: PaymentStream;
  readonly escrow: WholeStream<Escrow>;
}

/** Streams of escrows, with those of the payments that fund them. */
export class EscrowLedger {
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  async load(id: string): Promise<EscrowStreams> {
    const [payment, escrow] = await Promise.all([
      this.journal.loadWhole(Payment.source(id)),
      this.journal.loadWhole(Escrow.source(id)),
    ]);
    return { payment, escrow };
  }

  /** Writes the service's next event. If another process has written the same event first, returns that stream. */
  async append({ payment, escrow }: EscrowStreams, fact: Fact): Promise<EscrowStreams> {
    const ordinal = escrow.events.filter(({ type }) => type === fact.type).length;
    const id = deriveEventId(escrow.stream, escrow.stream, fact.type, ordinal);
    const events = newEvents([fact], escrow.stream, this.contextOf(acceptedEvent(payment), escrow.stream));
    const stored: Event[] = await this.journal.append(
      escrow.stream,
      escrow.revision,
      events.map(event => ({ ...event, id })),
    );
    const state = stored.reduce((state, event) => Escrow.evolve(state, event), escrow.state);
    const revision = stored.at(-1)!.revision;
    return { payment, escrow: { ...escrow, events: [...escrow.events, ...stored], state, revision } };
  }

  private contextOf({ id }: PaymentAcceptedEvent, stream: string) {
    return serviceContext({
      at: this.clock.now(),
      requestKey: stream,
      cause: id,
      decidedBy: 'settle-escrow@1',
      reason: 'the end of an escrow',
      integers: this.integers,
    });
  }
}

/** Names the end of an escrow for the relayer. */
export const endKey = (payment: string) => `${payment}/end`;

export function latestEscrowSubmission({ escrow }: EscrowStreams): EscrowSubmission {
  const latest = escrow.state.submitted.at(-1);
  if (!latest) throw new Error(`${escrow.stream} has no submitted transaction.`);
  return latest;
}

export const escrowSubmittedFact = (payment: string, { step, reason }: EscrowCall, signed: SignedTransaction) =>
  EscrowSubmitted({
    payment,
    step,
    reason,
    tx: signed.tx,
    relayer: signed.relayer,
    relayer_nonce: signed.relayerNonce,
    fee: signed.fee,
    raw: signed.raw,
  });

export function escrowFact(payment: string, parties: EscrowParties, step: EscrowStep): Fact {
  const about = { payment, ...parties };
  if (step.do === 'stick') return EscrowStuck(about);
  if (step.do === 'lose') return EscrowLost(about);
  if (step.do === 'secure') {
    const { tx, block, finalBlock: final_block } = step;
    return EscrowSecured({ ...about, tx, block, final_block });
  }
  if (step.do !== 'release' && step.do !== 'return') throw new Error(`The step ${step.do} writes no event.`);
  const { reason, tx, block } = step;
  return (step.do === 'release' ? EscrowReleased : EscrowReturned)({ ...about, reason, tx, block });
}
