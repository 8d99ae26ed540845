import type { Event, Fact } from '#libs/kernel/event.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { replayedDecision } from '../decisions/replayed-decision.js';
import {
  type Decision,
  type DecisionTable,
  type AuditableDecision,
  AuditMismatch,
  NotReplayable,
} from '#libs/endpoints/decision.js';
import { describeDifference } from '../decisions/fact-difference.js';
import type { Findings } from '../findings.js';
import { StateTooOldError } from '../history.js';
import type { AuditState } from '../rules/audit-state.js';
import { isSameRequest } from './authorization-revisions.js';
import type { Check, ExaminedEvent } from './check.js';

/** How many rules that are lacking a report names. */
const LACKING_RULES_MAX = 100;

/** How the events were judged. */
export interface DecisionCounts {
  /** By deciding again on what they are based on. */
  again: number;
  /** By a rule of their own: what follows from another event, or from what the chain or a stranger's page said. */
  by_rule: number;
  /** Not at all, for what was asked for is private or was erased. */
  undecided: number;
  /** Not at all, for they were decided by rules that this build does not have. */
  lacking: number;
  /** These rules: `hire@2`. */
  readonly lacking_rules: string[];
}

/** A decision of which some events are still to come in the stream; `facts` is null where the decision is unknown. */
interface PendingDecision {
  readonly first: ExaminedEvent['shown'];
  readonly facts: readonly Fact[] | null;
}

/** Every event is what its decision decides when it is run again on the revisions that the event names. */
export class DecisionCheck implements Check {
  readonly counts: DecisionCounts = { again: 0, by_rule: 0, undecided: 0, lacking: 0, lacking_rules: [] };
  private readonly pending = new Map<string, PendingDecision>();

  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
    /** Null where nothing is decided again. */
    private readonly table: DecisionTable | null,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened || !this.table) return;
    const going = this.pending.get(shown.stream);
    this.pending.delete(shown.stream);
    const judged = this.table.get(opened.decided_by);
    const goesOn = going !== undefined && isSameRequest(going.first, shown);
    if (going && !goesOn) this.reportMissing(going);
    if (judged && !judged.writes.includes(opened.type))
      return this.findings.add('decision', `${opened.decided_by}, which it names, does not write it.`, shown);
    if (goesOn) this.continueDecision(going, shown, opened);
    else this.judge(judged, shown, opened);
  }

  finish(): void {
    for (const going of this.pending.values()) this.reportMissing(going);
  }

  private judge(judged: AuditableDecision | undefined, shown: ExaminedEvent['shown'], opened: Event): void {
    if (!judged) return this.countLacking(opened.decided_by);
    if ('rule' in judged) this.counts.by_rule += 1;
    else this.decide(judged, shown, opened);
  }

  private countLacking(rules: string): void {
    this.counts.lacking += 1;
    const { lacking_rules: named } = this.counts;
    if (named.length < LACKING_RULES_MAX && !named.includes(rules)) named.push(rules);
  }

  private decide(decision: Decision, shown: ExaminedEvent['shown'], opened: Event): void {
    const found = this.decideAgain(decision, opened);
    if (found === null) return this.markUndecided(shown);
    const problem = typeof found === 'string' ? found : describeDifference(found[0], opened, shown);
    if (problem === null) return this.advance(shown, found as readonly Fact[]);
    this.findings.add('decision', problem, shown);
  }

  /** What is decided, the sentence of a refusal, or null where it cannot be known. */
  private decideAgain(decision: Decision, opened: Event): readonly Fact[] | string | null {
    try {
      return decision.decide(replayedDecision(opened, this.facts.history));
    } catch (error) {
      if (error instanceof NotReplayable || error instanceof StateTooOldError) return null;
      if (error instanceof Refusal || error instanceof AuditMismatch)
        return `Decided again, ${decision.name} is refused: ${error.message}`;
      if (error instanceof IdCollision) return `Decided again, ${decision.name} finds its id taken.`;
      throw error;
    }
  }

  /** The decision is unknown, and so it is unknown whether the next events of the stream belong to it. */
  private markUndecided(shown: ExaminedEvent['shown'], first = shown): void {
    this.counts.undecided += 1;
    this.pending.set(shown.stream, { first, facts: null });
  }

  private continueDecision({ facts, first }: PendingDecision, shown: ExaminedEvent['shown'], opened: Event): void {
    if (facts === null) return this.markUndecided(shown, first);
    const problem = describeDifference(facts[0], opened, shown);
    if (problem === null) return this.advance(shown, facts, first);
    this.findings.add('decision', problem, shown);
  }

  /** The first of the facts has come; the rest are expected next in the stream. */
  private advance(shown: ExaminedEvent['shown'], [, ...rest]: readonly Fact[], first = shown): void {
    this.counts.again += 1;
    if (rest.length > 0) this.pending.set(shown.stream, { first, facts: rest });
  }

  private reportMissing({ first, facts }: PendingDecision): void {
    if (facts === null) return;
    this.findings.add('decision', `Decided again, ${facts[0]!.type} follows it, which is not there.`, first);
  }
}
