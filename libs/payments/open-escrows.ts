import {
  ESCROW_DECIDED,
  ESCROW_FUNDED,
  EscrowLost,
  EscrowReleased,
  EscrowReturned,
  EscrowSubmitted,
  type EscrowSubmission,
} from '#libs/domain/escrow.js';
import { PaymentApplied, PaymentLost } from '#libs/domain/payment.js';
import type { EventLog, EventPage } from '#libs/event-log/event-log.port.js';
import { type Clock, DAY_MS } from '#libs/kernel/clock.js';
import { LOG_START, type Position, type StoredEvent } from '#libs/kernel/event.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import type { EscrowParties } from './escrow-ledger.js';
import type { EscrowDecision } from './escrow-machine.js';

const ENDS: readonly string[] = [EscrowReleased, EscrowReturned].map(({ type }) => type);
const EVENT_TYPES = [
  ESCROW_FUNDED,
  ESCROW_DECIDED,
  PaymentApplied.type,
  PaymentLost.type,
  EscrowSubmitted.type,
  EscrowLost.type,
  ...ENDS,
];
const PAGE_SIZE = 1_000;
const CHECKPOINT_KEY = 'escrows/all-ended-up-to';
const CHECKPOINT_TTL_MS = 30 * DAY_MS;
/** Longer than any chain takes to become final. */
export const END_WATCH_MS_MAX = 30 * DAY_MS;

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
  /** Transactions that are sent and not replaced: `<relayer>/<nonce>`. */
  readonly nonces: readonly string[];
  readonly end: { readonly block: number; readonly at: number } | null;
}

interface OpenEscrowsDependencies {
  readonly log: Pick<EventLog, 'readAll' | 'readNews' | 'head'>;
  readonly coordination: Coordination;
  readonly clock: Clock;
}

/** Read from the log itself because a projection may stop. Each process keeps the list in memory. */
export class OpenEscrows {
  private readonly open = new Map<string, OpenEscrow>();
  /** Those with something to do: decided, lost or ended. */
  private readonly due = new Set<string>();
  private earliestDeadline = Infinity;
  private position: Position | null = null;
  private savedCheckpoint: Position | null = null;
  private catchingUp: Promise<void> | null = null;

  constructor(private readonly dependencies: OpenEscrowsDependencies) {}

  /** Reads up to the head of the log. Errors: `Unavailable`. */
  async refresh(): Promise<void> {
    this.catchingUp ??= this.catchUp().finally(() => (this.catchingUp = null));
    await this.catchingUp;
  }

  get(id: string): OpenEscrow | undefined {
    return this.open.get(id);
  }

  /** Decided escrows, and those whose deadline has passed. The others cost nothing. */
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

  private async catchUp(): Promise<void> {
    const { log } = this.dependencies;
    const head = await log.head();
    this.position ??= await this.loadCheckpoint(head);
    while (this.position < head) {
      const { events, next } = await this.readPageAfter(this.position);
      for (const event of events) this.applyEvent(event, this.position);
      if (next === this.position) break;
      this.position = next;
    }
    await this.saveCheckpoint();
  }

  /** Reads the store only if the cached news end before the head. */
  private async readPageAfter(position: Position): Promise<EventPage> {
    const { log } = this.dependencies;
    const news = await log.readNews(position, PAGE_SIZE, EVENT_TYPES);
    return news.next > position ? news : log.readAll(position, PAGE_SIZE, EVENT_TYPES);
  }

  private applyEvent({ type, at, data }: StoredEvent, positionBefore: Position): void {
    const event = data as unknown as EscrowEventData;
    const { payment: id } = event;
    const known = this.open.get(id) ?? { ...UNKNOWN, id, positionBefore };
    if (type === ESCROW_FUNDED) {
      const { operator, capture_deadline: deadline } = event;
      this.add({ ...known, operator: operator.toLowerCase(), deadline, parties: partiesIn(event) });
    } else if (type === ESCROW_DECIDED) this.decide(known, event);
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

  private decide(escrow: OpenEscrow, event: EscrowEventData): void {
    if (escrow.decision) return;
    const { to, reason } = event;
    this.makeDue({ ...escrow, decision: { to, reason }, parties: partiesIn(event) });
  }

  private addNonce(escrow: OpenEscrow, { relayer, relayer_nonce: nonce }: EscrowEventData): void {
    if (this.open.has(escrow.id)) this.add({ ...escrow, nonces: [...escrow.nonces, nonceKey(relayer, nonce)] });
  }

  private endEscrow(escrow: OpenEscrow, end: NonNullable<OpenEscrow['end']>): void {
    if (this.dependencies.clock.now() - end.at >= END_WATCH_MS_MAX) this.stopWatching(escrow.id);
    else this.makeDue({ ...escrow, end });
  }

  private async loadCheckpoint(head: Position): Promise<Position> {
    const { coordination, clock } = this.dependencies;
    const checkpoint = await coordination.get(CHECKPOINT_KEY, clock.now());
    return checkpoint !== undefined && checkpoint <= head ? checkpoint : LOG_START;
  }

  /** Each process saves what it has read; a lower value of another one only makes the next start read more. */
  private async saveCheckpoint(): Promise<void> {
    const positions = [...this.open.values()].map(({ positionBefore }) => positionBefore);
    const checkpoint = positions.reduce((least, each) => (each < least ? each : least), this.position ?? LOG_START);
    if (checkpoint === this.savedCheckpoint) return;
    const { coordination, clock } = this.dependencies;
    const now = clock.now();
    const expiresAt = now + CHECKPOINT_TTL_MS;
    const stored = await coordination.putIfAbsent(CHECKPOINT_KEY, checkpoint, expiresAt, now);
    if (stored !== undefined && stored !== checkpoint)
      await coordination.compareAndSet(CHECKPOINT_KEY, stored, checkpoint, expiresAt, now);
    this.savedCheckpoint = checkpoint;
  }
}

const UNKNOWN = {
  operator: null,
  deadline: Infinity,
  decision: null,
  parties: null,
  isLost: false,
  nonces: [],
  end: null,
} as const;

type EscrowEventData = EscrowSubmission &
  Partial<EscrowParties> & {
    readonly operator: string;
    readonly capture_deadline: number;
    readonly outcome: string;
    readonly to: 'worker' | 'poster';
    readonly block: number;
  };

const partiesIn = ({ hire, role, poster, worker }: EscrowEventData): EscrowParties => ({
  poster: poster ?? null,
  ...(hire !== undefined && { hire }),
  ...(role !== undefined && { role }),
  ...(worker !== undefined && { worker }),
});

const nonceKey = (relayer: string, nonce: number) => `${relayer.toLowerCase()}/${nonce}`;
