import { randomUUID } from 'node:crypto';
import { executeCommand, type Sources, type StatesOf } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import { type StreamSource, systemContext } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { type Decision, defineDecision, formatDecidedBy } from './decision.js';

/** Declares what the operator does by a command of its own. */
export const operatorDecision = (name: string, spec: Pick<Parameters<typeof defineDecision>[1], 'writes' | 'decide'>) =>
  defineDecision(name, { by: 'operator', causes: [`operator/${name}/<uuid>`], ...spec });

export interface OperatorAction {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Stored in the events, which are public. */
  readonly reason: string;
}

interface OperatorPlan<S, R extends Sources> {
  readonly writes: StreamSource<S>;
  readonly reads?: (state: S) => R;
  /** `at` is unix ms. */
  readonly decide: (state: S, at: number, reads: StatesOf<R>) => readonly Fact[];
}

/** Returns whether anything changed. Throws the refusals of `decide`. */
export async function executeAsOperator<S, R extends Sources = Record<never, never>>(
  decision: Decision,
  { journal, clock, reason }: OperatorAction,
  { decide, ...plan }: OperatorPlan<S, R>,
): Promise<boolean> {
  const [at, cause] = [clock.now(), `operator/${decision.name}/${randomUUID()}`];
  const context = systemContext('operator', reason, { at, cause, decidedBy: formatDecidedBy(decision) });
  const { events } = await executeCommand<S, R>(journal, context, {
    ...plan,
    decide: (state, reads) => decide(state, at, reads),
  });
  return events.length > 0;
}
