import type { Clock } from '#libs/kernel/clock.js';
import type { SignedTransaction } from './chain.port.js';
import { escrowCall } from './escrow-calls.js';
import {
  endKey,
  type EscrowLedger,
  type EscrowParties,
  type EscrowStreams,
  escrowFact,
  escrowSubmittedFact,
} from './escrow-ledger.js';
import {
  type EscrowCall,
  type EscrowDecision,
  type EscrowObservation,
  type EscrowStep,
  nextEscrowStep,
  UNOBSERVED_ESCROW,
} from './escrow-machine.js';
import { acceptedEvent, signedPayment } from './ledger.js';
import { observeEscrow } from './observe-escrow.js';
import { type DrivenMachine, withObservation } from './settlement-driver.js';
import { MissingAccount } from './settlement-error-log.js';
import type { Timing } from './timing.js';
import type { RailConnection, SendingTask, TransactionSender } from './transaction-sender.js';

export interface EscrowState {
  readonly streams: EscrowStreams;
  readonly decision: EscrowDecision | null;
  readonly parties: EscrowParties;
  readonly observation: EscrowObservation;
}

/** Decision about an escrow as the log has it, and its parties. */
export interface EscrowCase {
  readonly decision: EscrowDecision | null;
  readonly parties: EscrowParties;
}

interface EscrowExecutorDependencies {
  readonly ledger: EscrowLedger;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly sender: TransactionSender;
  readonly connections: readonly RailConnection[];
  readonly caseOf: (streams: EscrowStreams) => EscrowCase;
}

/** Executes the steps of `nextEscrowStep`. Records every transaction before sending it. */
export class EscrowExecutor implements DrivenMachine<EscrowState, EscrowStep> {
  constructor(private readonly dependencies: EscrowExecutorDependencies) {}

  async load(id: string, start: Partial<EscrowState> = {}): Promise<EscrowState> {
    const { ledger, caseOf } = this.dependencies;
    const streams = await ledger.load(id);
    return { streams, ...caseOf(streams), observation: start.observation ?? UNOBSERVED_ESCROW };
  }

  next({ streams, decision, observation }: EscrowState): EscrowStep {
    return nextEscrowStep(streams.escrow.state, decision, observation);
  }

  isOpen({ streams }: EscrowState): boolean {
    return streams.escrow.state.status === 'open';
  }

  async execute(step: EscrowStep, state: EscrowState): Promise<EscrowState> {
    switch (step.do) {
      case 'observe':
        return withObservation(state, await this.observe(state));
      case 'submit':
      case 'broadcast':
      case 'replace':
        return this.send(step, state);
      case 'secure':
      case 'release':
      case 'return':
      case 'stick':
      case 'lose':
        return this.record(step, state);
      case 'wait':
      case 'done':
        return state;
    }
  }

  private observe({ streams, decision, observation: previous }: EscrowState): Promise<Partial<EscrowObservation>> {
    const { clock, timing } = this.dependencies;
    return observeEscrow({ chain: this.connection(streams).chain, clock, timing, streams, decision, previous });
  }

  private async send(step: EscrowStep, state: EscrowState): Promise<EscrowState> {
    const how = step.do as 'submit' | 'broadcast' | 'replace';
    const { streams } = state;
    const call = step.do === 'submit' ? step.call : submittedIn(streams).at(-1)!;
    const { stream, changes } = await this.dependencies.sender[how](this.sendingTask(streams, call));
    return withObservation({ ...state, streams: stream }, changes);
  }

  /** After an end, a reorganisation counts as over until the next look. */
  private async record(step: EscrowStep, state: EscrowState): Promise<EscrowState> {
    const { streams, parties, observation } = state;
    const { payment } = acceptedEvent(streams.payment).data;
    const next = await this.dependencies.ledger.append(streams, escrowFact(payment, parties, step));
    return { ...state, streams: next, observation: { ...observation, missingSince: null } };
  }

  private sendingTask(streams: EscrowStreams, call: EscrowCall): SendingTask<EscrowStreams> {
    const accepted = acceptedEvent(streams.payment);
    const { payment } = accepted.data;
    const record = (stream: EscrowStreams, signed: SignedTransaction) =>
      this.dependencies.ledger.append(stream, escrowSubmittedFact(payment, call, signed));
    return {
      key: endKey(payment),
      connection: this.connection(streams),
      stream: streams,
      call: () => escrowCall(signedPayment(accepted).escrow!, call),
      submitted: submittedIn,
      record,
    };
  }

  /** Only the account that authorized the payment can end the escrow. */
  private connection({ payment }: EscrowStreams): RailConnection {
    const { rail, escrow } = acceptedEvent(payment).data;
    const operator = escrow!.operator.toLowerCase();
    const connection = this.dependencies.connections.find(
      ({ chain }) => chain.rail.name === rail && chain.relayer.toLowerCase() === operator,
    );
    if (!connection) throw new MissingAccount(`The account ${escrow!.operator} of an open escrow has no key here.`);
    return connection;
  }
}

const submittedIn = ({ escrow }: EscrowStreams) => escrow.state.submitted;
