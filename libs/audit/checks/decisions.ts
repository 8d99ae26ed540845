import type { Event, Fact } from '#libs/kernel/event.js';
import { IdTaken } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { replayedDecision } from '../decisions/replayed-decision.js';
import { type Decision, type DecisionTable, type Judged, Contradiction, Undecided } from '#libs/endpoints/decision.js';
import { differenceOf } from '../decisions/given.js';
import type { Findings } from '../findings.js';
import { TooOld } from '../history.js';
import type { Facts } from '../rules/facts.js';
import { isOfOne } from './authorized-at.js';
import type { Check, ExaminedEvent } from './check.js';

/** How many rules that are lacking a report names. */
const LACKING_NAMED_MAX = 100;

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
interface Going {
  readonly first: ExaminedEvent['shown'];
  readonly facts: readonly Fact[] | null;
}

/** Every event is what its decision decides when it is run again on the revisions that the event names. */
export class Decisions implements Check {
  readonly counts: DecisionCounts = { again: 0, by_rule: 0, undecided: 0, lacking: 0, lacking_rules: [] };
  private readonly going = new Map<string, Going>();

  constructor(
    private readonly findings: Findings,
    private readonly facts: Facts,
    /** Null where nothing is decided again. */
    private readonly table: DecisionTable | null,
  ) {}

  take({ shown, opened }: ExaminedEvent): void {
    if (!opened || !this.table) return;
    const going = this.going.get(shown.stream);
    this.going.delete(shown.stream);
    const judged = this.table.get(opened.decided_by);
    const goesOn = going !== undefined && isOfOne(going.first, shown);
    if (going && !goesOn) this.cutShort(going);
    if (judged && !judged.writes.includes(opened.type))
      return this.findings.add('decision', `${opened.decided_by}, which it names, does not write it.`, shown);
    if (goesOn) this.goOn(going, shown, opened);
    else this.judge(judged, shown, opened);
  }

  end(): void {
    for (const going of this.going.values()) this.cutShort(going);
  }

  private judge(judged: Judged | undefined, shown: ExaminedEvent['shown'], opened: Event): void {
    if (!judged) return this.lack(opened.decided_by);
    if ('rule' in judged) this.counts.by_rule += 1;
    else this.decide(judged, shown, opened);
  }

  private lack(rules: string): void {
    this.counts.lacking += 1;
    const { lacking_rules: named } = this.counts;
    if (named.length < LACKING_NAMED_MAX && !named.includes(rules)) named.push(rules);
  }

  private decide(decision: Decision, shown: ExaminedEvent['shown'], opened: Event): void {
    const found = this.again(decision, opened);
    if (found === null) return this.leave(shown);
    const problem = typeof found === 'string' ? found : differenceOf(found[0], opened, shown);
    if (problem === null) return this.go(shown, found as readonly Fact[]);
    this.findings.add('decision', problem, shown);
  }

  /** What is decided, the sentence of a refusal, or null where it cannot be known. */
  private again(decision: Decision, opened: Event): readonly Fact[] | string | null {
    try {
      return decision.decide(replayedDecision(opened, this.facts.history));
    } catch (error) {
      if (error instanceof Undecided || error instanceof TooOld) return null;
      if (error instanceof Refusal || error instanceof Contradiction)
        return `Decided again, ${decision.name} is refused: ${error.message}`;
      if (error instanceof IdTaken) return `Decided again, ${decision.name} finds its id taken.`;
      throw error;
    }
  }

  /** The decision is unknown, and so it is unknown whether the next events of the stream belong to it. */
  private leave(shown: ExaminedEvent['shown'], first = shown): void {
    this.counts.undecided += 1;
    this.going.set(shown.stream, { first, facts: null });
  }

  private goOn({ facts, first }: Going, shown: ExaminedEvent['shown'], opened: Event): void {
    if (facts === null) return this.leave(shown, first);
    const problem = differenceOf(facts[0], opened, shown);
    if (problem === null) return this.go(shown, facts, first);
    this.findings.add('decision', problem, shown);
  }

  /** The first of the facts has come; the rest are expected next in the stream. */
  private go(shown: ExaminedEvent['shown'], [, ...rest]: readonly Fact[], first = shown): void {
    this.counts.again += 1;
    if (rest.length > 0) this.going.set(shown.stream, { first, facts: rest });
  }

  private cutShort({ first, facts }: Going): void {
    if (facts === null) return;
    this.findings.add('decision', `Decided again, ${facts[0]!.type} follows it, which is not there.`, first);
  }
}
