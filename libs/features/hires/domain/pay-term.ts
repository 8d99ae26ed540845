import { type PayParty, suspendedSpans, unpayableSpans } from '#libs/domain/pay-pauses.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { PayFact } from './pay-facts.js';

/** Without an acceptance, the term starts this time after the latest delivery. */
const UNACCEPTED_MS = 7 * DAY_MS;
/** Least time to pay after a stop. A wage that was started in time has as long to reach the chain. */
const AHEAD_MS = DAY_MS;

export type DueState = 'due' | 'soon' | 'overdue';

export interface PayTermFacts {
  readonly days: number;
  readonly facts: readonly PayFact[];
  readonly isPaid: boolean;
}

export interface PayParties {
  readonly poster: PayParty;
  readonly worker: PayParty;
}

/** Times in unix ms. */
export interface PayTerm {
  readonly start: number | null;
  /** Null before a delivery, and while the term stops. */
  readonly due_at: number | null;
  /** From this time on the wage is overdue; null if it is paid, or not due. */
  readonly overdueFrom: number | null;
  /** Whether the latest wage was started by `due_at`; null before one. */
  readonly isOnTime: boolean | null;
  readonly days: number;
}

type Moment = PayFact | { readonly kind: 'stop' | 'go'; readonly at: number };

/** Stops by other streams, and facts of the hire, in the order of their times. */
function momentsOf({ facts, isPaid }: PayTermFacts, parties: PayParties | null): readonly Moment[] {
  // Nothing after a payment moves the term.
  const last = isPaid ? facts.findLastIndex(({ kind }) => kind === 'wage') : facts.length - 1;
  const counted = facts.slice(0, last + 1);
  const until = isPaid ? (counted.at(-1)?.at ?? 0) : Infinity;
  const spans = parties ? [...suspendedSpans(parties.poster), ...unpayableSpans(parties.worker)] : [];
  const stops = spans.flatMap(({ from, to }): Moment[] => [
    { kind: 'stop', at: from },
    ...(to === Infinity ? [] : [{ kind: 'go' as const, at: to }]),
  ]);
  return [...stops.filter(({ at }) => at <= until), ...counted].sort((one, other) => one.at - other.at);
}

class TermClock {
  private start: number | null = null;
  private floor = 0;
  private stops = 0;
  private isHeld = false;
  /** A revision without an answer: whether it was asked before the wage was due. */
  private revision: 'in_time' | 'late' | null = null;
  private isOnTime: boolean | null = null;
  private grace = 0;

  constructor(private readonly days: number) {}

  add({ kind, at }: Moment): void {
    switch (kind) {
      case 'stop':
        this.stops += 1;
        return;
      case 'go':
        this.stops -= 1;
        return this.goOn(at);
      case 'delivered':
        return this.deliver(at);
      case 'accepted':
        this.start = Math.min(this.start ?? at, at);
        return;
      case 'revision':
        this.revision = this.isOver(at) ? (this.revision ?? 'late') : 'in_time';
        return;
      case 'disputed':
        this.isHeld ||= !this.isOver(at);
        return;
      case 'settled':
        if (this.isHeld) this.goOn(at);
        this.isHeld = false;
        return;
      case 'wage':
        this.isOnTime = !this.isOver(at);
        if (this.isOnTime) this.grace = at + AHEAD_MS;
        return;
      case 'lost':
        return this.goOn(at);
    }
  }

  term(isPaid: boolean): PayTerm {
    const { start, days, isOnTime } = this;
    const due_at = this.isStopped() ? null : this.due();
    const overdueFrom = due_at === null || isPaid ? null : Math.max(due_at, this.grace) + 1;
    return { start, due_at, overdueFrom, isOnTime, days };
  }

  private due(): number | null {
    return this.start === null ? null : Math.max(this.start + this.days * DAY_MS, this.floor);
  }

  private isStopped(): boolean {
    return this.stops > 0 || this.isHeld;
  }

  private isOver(at: number): boolean {
    const due = this.due();
    return due !== null && !this.isStopped() && at > due;
  }

  private goOn(at: number): void {
    this.floor = Math.max(this.floor, at + AHEAD_MS);
  }

  /** Once the wage is due, only the answer to a revision that was asked before begins another term. */
  private deliver(at: number): void {
    const begins = this.revision === null ? !this.isOver(at) : this.revision === 'in_time';
    this.revision = null;
    if (begins) this.start = at + UNACCEPTED_MS;
  }
}

/** Without `parties` the earliest term, as if nothing in other streams stopped it. */
export function payTerm(facts: PayTermFacts, parties: PayParties | null): PayTerm {
  const clock = new TermClock(facts.days);
  for (const moment of momentsOf(facts, parties)) clock.add(moment);
  return clock.term(facts.isPaid);
}

/** Times of the states, the earliest first. A term of one day has no second reminder. */
function statesOf({ start, due_at, overdueFrom, days }: PayTerm): readonly (readonly [DueState, number])[] {
  if (start === null || due_at === null || overdueFrom === null) return [];
  const soon = [['soon', Math.max(start, due_at - AHEAD_MS)]] as const;
  return [['due', start], ...(days > 1 ? soon : []), ['overdue', overdueFrom]];
}

export type Announced = { readonly state: DueState; readonly due_at: number };

/** The newest state at this time, unix ms; null before the start and while the term stops. */
export function dueStateAt(term: PayTerm, at: number): Announced | null {
  const reached = statesOf(term).findLast(([, from]) => from <= at);
  return reached && term.due_at !== null ? { state: reached[0], due_at: term.due_at } : null;
}

/** When the service has to say the next state, unix ms; null without one. `announced` is the newest that it said. */
export function nextDueTime(term: PayTerm, announced: Announced | null): number | null {
  const isSame = announced?.due_at === term.due_at;
  const states = statesOf(term);
  const said = isSame ? states.findIndex(([state]) => state === announced?.state) : -1;
  return states[said + 1]?.[1] ?? null;
}

/** As positions show it. */
export function payStateAt(facts: PayTermFacts, term: PayTerm, at: number) {
  const overdue = term.overdueFrom !== null && at >= term.overdueFrom;
  return { due_at: term.due_at, overdue, paid_on_time: facts.isPaid ? term.isOnTime : overdue ? false : null };
}
