import {
  Escrow,
  EscrowLost,
  EscrowReleased,
  EscrowReturned,
  EscrowSecured,
  EscrowStuck,
  EscrowSubmitted,
} from '#libs/domain/escrow.js';
import { Payment } from '#libs/domain/payment.js';
import type { Journal, WholeStream } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import type { Integers } from '#libs/kernel/ids.js';
import type { SignedTransaction } from './chain.port.js';
import type { EscrowCall, EscrowStep } from './escrow-machine.js';
import { acceptedEvent, type PaymentStream } from './ledger.js';
import { StepLog } from './step-log.js';

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
  private readonly steps: StepLog<Escrow>;

  constructor(
    private readonly journal: Journal,
    clock: Clock,
    integers: Integers,
  ) {
    const steps = { entity: Escrow, decidedBy: 'settle-escrow@1', reason: 'the end of an escrow' };
    this.steps = new StepLog({ journal, clock, integers }, steps);
  }

  async load(id: string): Promise<EscrowStreams> {
    const [payment, escrow] = await Promise.all([
      this.journal.loadWhole(Payment.source(id)),
      this.journal.loadWhole(Escrow.source(id)),
    ]);
    return { payment, escrow };
  }

  async append({ payment, escrow }: EscrowStreams, fact: Fact): Promise<EscrowStreams> {
    return { payment, escrow: await this.steps.append(escrow, fact, acceptedEvent(payment).id) };
  }
}

/** Names the end of an escrow for the relayer. */
export const endKey = (payment: string) => `${payment}/end`;

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
