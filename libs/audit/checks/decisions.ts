import type { Event, Fact } from '#libs/kernel/event.js';
import { IdTaken } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { askedOf } from '../decisions/asked.js';
import { type Decision, type DecisionTable, Undecided } from '../decisions/decision.js';
import { differenceOf } from '../decisions/given.js';
import type { Findings } from '../findings.js';
import { TooOld } from '../history.js';
import type { Facts } from '../rules/facts.js';
import type { Check, Seen } from './check.js';

/** How the events were judged. */
export interface DecisionCounts {
  /** By deciding again on what they are based on. */
  again: number;
  /** By a rule of their own: what follows from another event, or from what the chain or a stranger's page said. */
  by_rule: number;
  /** Not at all, for what was asked for is private or was erased. */
  undecided: number;
}

/** A decision that has said more than was seen of it yet; null where nobody can tell what it has said. */
interface Going {
  readonly first: Seen['shown'];
  readonly facts: readonly Fact[] | null;
}

/** Every event is what its command decides once more, on exactly the revisions that it names. */
export class Decisions implements Check {
  readonly counts: DecisionCounts = { again: 0, by_rule: 0, undecided: 0 };
  private readonly going = new Map<string, Going>();

  constructor(
    private readonly findings: Findings,
    private readonly facts: Facts,
    private readonly table: DecisionTable,
  ) {}

  take({ shown, opened }: Seen): void {
    if (!opened) return;
    const going = this.going.get(shown.stream);
    this.going.delete(shown.stream);
    if (going && isOfOne(going.first, shown)) return this.goOn(going, shown, opened);
    if (going) this.cutShort(going);
    const judged = this.table.get(shown.type);
    if (!judged) return;
    if ('by' in judged) this.decide(judged.by, shown, opened);
    else this.counts.by_rule += 1;
  }

  end(): void {
    for (const going of this.going.values()) this.cutShort(going);
  }

  private decide(all: readonly Decision[], shown: Seen['shown'], opened: Event): void {
    const problems: string[] = [];
    for (const decision of all.filter(decision => decision.is(opened))) {
      const found = this.again(decision, opened);
      if (found === null) return this.leave(shown);
      const problem = typeof found === 'string' ? found : differenceOf(found[0], opened, shown);
      if (problem === null) return this.go(shown, found as readonly Fact[]);
      problems.push(problem);
    }
    this.findings.add('decision', problems[0] ?? nothingWrites(opened), shown);
  }

  /** What is decided, why it is refused, or null where it cannot be known. */
  private again(decision: Decision, opened: Event): readonly Fact[] | string | null {
    try {
      return decision.decide(askedOf(opened, this.facts.history));
    } catch (error) {
      if (error instanceof Undecided || error instanceof TooOld) return null;
      if (error instanceof Refusal) return `Decided again, ${decision.name} is refused: ${error.message}`;
      if (error instanceof IdTaken) return `Decided again, ${decision.name} finds its id taken.`;
      throw error;
    }
  }

  /** Nobody can tell what was decided, nor whether what stands behind it in its stream belongs to it. */
  private leave(shown: Seen['shown'], first = shown): void {
    this.counts.undecided += 1;
    this.going.set(shown.stream, { first, facts: null });
  }

  private goOn({ facts, first }: Going, shown: Seen['shown'], opened: Event): void {
    if (facts === null) return this.leave(shown, first);
    const problem = differenceOf(facts[0], opened, shown);
    if (problem === null) return this.go(shown, facts, first);
    this.findings.add('decision', problem, shown);
  }

  /** The first of the facts was seen. */
  private go(shown: Seen['shown'], [, ...rest]: readonly Fact[], first = shown): void {
    this.counts.again += 1;
    if (rest.length > 0) this.going.set(shown.stream, { first, facts: rest });
  }

  private cutShort({ first, facts }: Going): void {
    if (facts === null) return;
    this.findings.add('decision', `Decided again, ${facts[0]!.type} follows it, which is not there.`, first);
  }
}

const nothingWrites = ({ authorization }: Event) =>
  `Nothing that ${authorization.mode === 'signature' ? authorization.endpoint : `a ${authorization.mode}`} does writes it.`;

/** Whether two events of a stream were written by one request. */
const isOfOne = (one: Seen['shown'], other: Seen['shown']) =>
  one.cause === other.cause && one.at === other.at && one.actor === other.actor;
