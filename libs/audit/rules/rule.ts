import type { EventOf } from '#libs/domain/define.js';
import type { AuditState } from './audit-state.js';

/**
 * Returns a sentence for each violation. Reads only its own stream and final facts, so the order of other streams does
 * not matter.
 */
export type Rule = (event: never, facts: AuditState) => readonly string[];

export type Condition = readonly [holds: boolean, problem: string];

export const failedConditions = (...rules: readonly Condition[]): string[] =>
  rules.filter(([holds]) => !holds).map(([, problem]) => problem);

export function ruleFor<E extends { readonly type: string }>(
  type: E,
  rule: (event: EventOf<E>, facts: AuditState) => readonly string[],
): readonly [type: string, rule: Rule] {
  return [type.type, rule];
}

export const inStream = (event: { readonly stream: string }, stream: string): Condition => [
  event.stream === stream,
  `The event belongs in the stream ${stream}.`,
];

export const byActor = ({ actor }: { readonly actor: string }, required: string): Condition => [
  actor === required,
  `Its actor is ${actor}; only ${required} may do this.`,
];
