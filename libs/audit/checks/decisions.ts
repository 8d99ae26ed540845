import { type Event, type Fact, requestFieldsOf } from '#libs/kernel/event.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { replayedDecision, describeDifference } from '#libs/audit/decisions/replayed-decision.js';
import {
  type Decision,
  type DecisionTable,
  type AuditableDecision,
  AuditMismatch,
  NotReplayable,
} from '#libs/endpoints/decision.js';
import type { Findings } from '#libs/audit/findings.js';
import type { AuditState } from '#libs/audit/rules/audit-state.js';
import { isSameRequest } from './authorization-revisions.js';
import type { Check, ExaminedEvent } from './check.js';

const LACKING_RULES_MAX = 100;

export interface DecisionCounts {
  again: number;
  /** Checked by a rule: they follow from another event, the chain or another server. */
  by_rule: number;
  /** Not replayed: the request, or a value that the decision read, is private or erased. */
  undecided: number;
  /** Not replayed: this build does not have their rules. Each rule is a finding. */
  lacking: number;
  readonly lacking_rules: string[];
}

/** Events that the decision must still write into its stream; `facts` is null if the decision cannot be replayed. */
interface PendingDecision {
  readonly first: ExaminedEvent['shown'];
  readonly facts: readonly Fact[] | null;
  /** The first event may not show all fields of its hidden request (`decidesEach`): another event may follow, or none. */
  readonly isPartial: boolean;
}

type DecidedFacts = PendingDecision & { readonly facts: readonly Fact[] };

/** Whether an event does not follow from the first one of its hidden request, and is decided alone. */
const isElse = ({ facts, isPartial }: PendingDecision, shown: ExaminedEvent['shown'], opened: Event) =>
  isPartial && describeDifference(facts?.[0], opened, shown) !== null;

export const describeUnread = (stream: string) =>
  `It does not name a revision of ${stream}, which its decision reads and which existed long before.`;

export class DecisionCheck implements Check {
  readonly counts: DecisionCounts = { again: 0, by_rule: 0, undecided: 0, lacking: 0, lacking_rules: [] };
  private readonly pending = new Map<string, PendingDecision>();

  constructor(
    private readonly findings: Findings,
    private readonly facts: AuditState,
    private readonly table: DecisionTable | null,
  ) {}

  examine({ shown, opened }: ExaminedEvent): void {
    if (!opened || !this.table) return;
    const pending = this.pending.get(shown.stream);
    this.pending.delete(shown.stream);
    const decision = this.table.get(opened.decided_by);
    const isContinued = pending !== undefined && isSameRequest(pending.first, shown);
    if (pending && !isContinued) this.reportMissing(pending);
    if (decision && !decision.writes.includes(opened.type)) {
      const sentence = `It names the decision ${opened.decided_by}, which cannot write ${opened.type}.`;
      return this.findings.add('decision', sentence, shown);
    }
    if (isContinued && !isElse(pending, shown, opened)) this.continueDecision(pending, shown, opened);
    else this.checkDecision(decision, shown, opened, isContinued ? pending.first : shown);
  }

  finish(): void {
    for (const pending of this.pending.values()) this.reportMissing(pending);
  }

  private checkDecision(
    decision: AuditableDecision | undefined,
    shown: ExaminedEvent['shown'],
    opened: Event,
    first: ExaminedEvent['shown'],
  ): void {
    if (!decision) return this.reportUnknownRule(shown);
    if ('decide' in decision) return this.compare(decision, shown, opened, first);
    this.counts.by_rule += 1;
    const { by } = decision;
    if (by && (opened.authorization.mode !== by || opened.actor !== by))
      this.findings.add('decision', `Only the ${by} may decide ${decision.name}.`, shown);
  }

  /** Once for each rule, at its first event. */
  private reportUnknownRule(shown: ExaminedEvent['shown']): void {
    const { decided_by: rule } = shown;
    this.counts.lacking += 1;
    const { lacking_rules: named } = this.counts;
    if (named.length >= LACKING_RULES_MAX || named.includes(rule)) return;
    named.push(rule);
    const sentence = `It was decided by ${rule}, a rule that this auditor does not know. Use a newer auditor.`;
    this.findings.add('unknown_rule', sentence, shown);
  }

  private compare(
    decision: Decision,
    shown: ExaminedEvent['shown'],
    opened: Event,
    first: ExaminedEvent['shown'],
  ): void {
    const unread = new Set<string>();
    const result = this.replay(decision, opened, stream => unread.add(stream), first === shown);
    for (const stream of unread) this.findings.add('unread', describeUnread(stream), shown);
    if (result === null) return this.markUndecided(shown, first);
    const problem = typeof result === 'string' ? result : describeDifference(result[0], opened, shown);
    const isPartial = decision.decidesEach === true && requestFieldsOf(opened.authorization) === undefined;
    if (problem === null) return this.advance(shown, { first, facts: result as readonly Fact[], isPartial });
    this.findings.add('decision', problem, shown);
  }

  /** Returns the problem as a sentence, or null if the decision cannot be replayed. */
  private replay(
    decision: Decision,
    opened: Event,
    onUnread: (stream: string) => void,
    isFirst: boolean,
  ): readonly Fact[] | string | null {
    try {
      const replay = replayedDecision(opened, this.facts.history, onUnread, isFirst);
      decision.verify?.(replay);
      return decision.decide(replay);
    } catch (error) {
      if (error instanceof NotReplayable) return null;
      if (error instanceof Refusal || error instanceof AuditMismatch)
        return `The replayed decision ${decision.name} is refused: ${error.message}`;
      if (error instanceof IdCollision) return `The replayed decision ${decision.name} finds its id already used.`;
      throw error;
    }
  }

  /** The next events of the stream may belong to this decision too. */
  private markUndecided(shown: ExaminedEvent['shown'], first = shown): void {
    this.counts.undecided += 1;
    this.pending.set(shown.stream, { first, facts: null, isPartial: false });
  }

  private continueDecision(pending: PendingDecision, shown: ExaminedEvent['shown'], opened: Event): void {
    const { facts, first } = pending;
    if (facts === null) return this.markUndecided(shown, first);
    const problem = describeDifference(facts[0], opened, shown);
    if (problem === null) return this.advance(shown, { ...pending, facts });
    this.findings.add('decision', problem, shown);
  }

  private advance(shown: ExaminedEvent['shown'], { first, facts, isPartial }: DecidedFacts): void {
    this.counts.again += 1;
    const rest = facts.slice(1);
    if (rest.length > 0 || isPartial) this.pending.set(shown.stream, { first, facts: rest, isPartial });
  }

  private reportMissing({ first, facts, isPartial }: PendingDecision): void {
    if (facts === null || isPartial) return;
    this.findings.add(
      'decision',
      `The replayed decision also writes ${facts[0]!.type} after it, but that event is missing.`,
      first,
    );
  }
}
