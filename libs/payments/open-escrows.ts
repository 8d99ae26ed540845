import {
  ESCROW_DECIDED,
  ESCROW_FUNDED,
  EscrowLost,
  EscrowReleased,
  EscrowReturned,
  EscrowSecured,
  EscrowSubmitted,
  type EscrowSubmission,
} from '#libs/domain/escrow.js';
import { PaymentApplied, PaymentLost } from '#libs/domain/payment.js';
import type { Position, StoredEvent } from '#libs/kernel/event.js';
import { CheckpointedReader, type ReaderDependencies } from './checkpointed-reader.js';
import type { EscrowParties } from './escrow-ledger.js';
import type { EscrowDecision } from './escrow-machine.js';
import { WATCH_MS_MAX } from './open-payments.js';

const ENDS: readonly string[] = [EscrowReleased, EscrowReturned].map(({ type }) => type);
const EVENT_TYPES = [
  ESCROW_FUNDED,
  ESCROW_DECIDED,
  PaymentApplied.type,
  PaymentLost.type,
  EscrowSecured.type,
  EscrowSubmitted.type,
  EscrowLost.type,
  ...ENDS,
];

/** An escrow without an end in the log, or one whose end is not final. */
export interface OpenEscrow {
  readonly id: string;
  readonly positionBefore: Position;
  /** Account that can end it, lower case; null until it is known. */
  readonly operator: string | null;
  /** Unix ms. From then on the payer can take the money back. */
  readonly deadline: number;
  readonly decision: EscrowDecision | null;
  readonly parties: EscrowParties | null;
  readonly isLost: boolean;
  /** Block of the funding when the hire was made. */
  readonly block: number;
  /** Whether the log says that the funding is final. */
  readonly isSecured: boolean;
  /** Transactions that are sent and not replaced: `<relayer>/<nonce>`. */
  readonly nonces: readonly string[];
  readonly end: { readonly block: number; readonly at: number } | null;
}

/** Escrows without an end, and those whose end is not final. */
export class OpenEscrows {
  private readonly open = new Map<string, OpenEscrow>();
  /** Those with something to do: not secured, decided, lost or ended. */
  private readonly due = new Set<string>();
  private earliestDeadline = Infinity;
  private readonly reader: CheckpointedReader;

  constructor(private readonly dependencies: ReaderDependencies) {
    this.reader = new CheckpointedReader(dependencies, {
      key: 'escrows/all-ended-up-to',
      types: EVENT_TYPES,
      apply: (event, positionBefore) => this.applyEvent(event, positionBefore),
      listUnfinished: () => [...this.open.values()],
    });
  }

  /** Reads up to the head of the log. Errors: `Unavailable`. */
  refresh(): Promise<void> {
    return this.reader.catchUp();
  }

  get(id: string): OpenEscrow | undefined {
    return this.open.get(id);
  }

  /** Escrows that are not secured, decided ones, and those whose deadline has passed. The others cost nothing. */
  listDue(): readonly OpenEscrow[] {
    const now = this.dependencies.clock.now();
    if (now >= this.earliestDeadline)
      for (const { id, deadline } of this.open.values()) if (now >= deadline) this.due.add(id);
    return [...this.due].flatMap(id => this.open.get(id) ?? []);
  }

  /** Those without an end. */
  listOpen(): readonly OpenEscrow[] {
    return [...this.open.values()].filter(({ end }) => end === null);
  }

  countOf(operator: string): number {
    return this.listOpen().filter(escrow => escrow.operator === operator.toLowerCase()).length;
  }

  /** Whether another escrow than that of `key` uses a nonce. */
  isNonceInUse(key: string, relayer: string, nonce: number): boolean {
    const use = nonceKey(relayer, nonce);
    return this.listOpen().some(({ id, nonces }) => !key.startsWith(id) && nonces.includes(use));
  }

  stopWatching(id: string): void {
    this.open.delete(id);
    this.due.delete(id);
  }

  private applyEvent({ type, at, data }: StoredEvent, positionBefore: Position): void {
    const event = data as unknown as EscrowEventData;
    const { payment: id } = event;
    const known = this.open.get(id) ?? { ...UNKNOWN, id, positionBefore };
    if (type === ESCROW_FUNDED) {
      const { operator, capture_deadline: deadline, block } = event;
      this.makeDue({ ...known, operator: operator.toLowerCase(), deadline, block, parties: partiesIn(event) });
    } else if (type === EscrowSecured.type) this.secure(known);
    else if (type === ESCROW_DECIDED) this.decide(known, event);
    else if (type === PaymentApplied.type) {
      if (event.outcome === 'void') this.decide(known, { ...event, to: 'poster', reason: 'void' });
    } else if (type === PaymentLost.type) {
      if (this.open.has(id)) this.makeDue({ ...known, isLost: true });
    } else if (type === EscrowSubmitted.type) this.addNonce(known, event);
    else if (type === EscrowLost.type) this.stopWatching(id);
    else if (ENDS.includes(type)) this.endEscrow(known, { block: event.block, at });
  }

  private add(escrow: OpenEscrow): void {
    this.open.set(escrow.id, escrow);
    this.earliestDeadline = Math.min(this.earliestDeadline, escrow.deadline);
  }

  private makeDue(escrow: OpenEscrow): void {
    this.add(escrow);
    this.due.add(escrow.id);
  }

  private secure(escrow: OpenEscrow): void {
    if (!this.open.has(escrow.id)) return;
    if (hasOnlyToBeSecured(escrow)) this.due.delete(escrow.id);
    this.add({ ...escrow, isSecured: true });
  }

  private decide(escrow: OpenEscrow, event: EscrowEventData): void {
    if (escrow.decision) return;
    const { to, reason } = event;
    this.makeDue({ ...escrow, decision: { to, reason }, parties: partiesIn(event) });
  }

  private addNonce(escrow: OpenEscrow, { relayer, relayer_nonce: nonce }: EscrowEventData): void {
    if (this.open.has(escrow.id)) this.add({ ...escrow, nonces: [...escrow.nonces, nonceKey(relayer, nonce)] });
  }

  private endEscrow(escrow: OpenEscrow, end: NonNullable<OpenEscrow['end']>): void {
    if (this.dependencies.clock.now() - end.at >= WATCH_MS_MAX) this.stopWatching(escrow.id);
    else this.makeDue({ ...escrow, end });
  }
}

const UNKNOWN = {
  operator: null,
  deadline: Infinity,
  decision: null,
  parties: null,
  isLost: false,
  block: Infinity,
  isSecured: false,
  nonces: [],
  end: null,
} as const;

/** Whether nothing is to be done but to notice that the funding is final. */
export const hasOnlyToBeSecured = ({ isSecured, decision, isLost, end }: OpenEscrow): boolean =>
  !isSecured && decision === null && !isLost && end === null;

type EscrowEventData = EscrowSubmission &
  Partial<EscrowParties> & {
    readonly operator: string;
    readonly capture_deadline: number;
    readonly outcome: string;
    readonly to: 'worker' | 'poster';
    readonly block: number;
  };

export const partiesIn = ({ hire, role, poster, worker }: Partial<EscrowParties>): EscrowParties => ({
  poster: poster ?? null,
  ...(hire !== undefined && { hire }),
  ...(role !== undefined && { role }),
  ...(worker !== undefined && { worker }),
});

const nonceKey = (relayer: string, nonce: number) => `${relayer.toLowerCase()}/${nonce}`;
