import type { EventOf } from '#libs/domain/define.js';
import type { AuditState } from './audit-state.js';

/**
 * Answers as sentences the rules that an event breaks, given everything before it. A rule looks only at its own stream
 * and at what cannot change any more, so that the order of other streams makes no difference.
 */
export type Rule = (event: never, facts: AuditState) => readonly string[];

export type Condition = readonly [holds: boolean, otherwise: string];

/** The sentences of what does not hold. */
export const failedConditions = (...rules: readonly Condition[]): string[] =>
  rules.filter(([holds]) => !holds).map(([, otherwise]) => otherwise);

/** A rule for one type of event. */
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

export const byActor = ({ actor }: { readonly actor: string }, wanted: string, who: string): Condition => [
  actor === wanted,
  `${actor} did it; only ${who}, ${wanted}, does this.`,
];
