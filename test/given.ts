import { expect } from '@jest/globals';
import type { CommandContext, Entity } from '#libs/kernel/decide.js';
import { DerivedIds, deriveEventId, Integers } from '#libs/kernel/ids.js';
import { type Event, type Fact, POSITION_WIDTH } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';

/** Clock of the rule tests, unix ms. */
export const NOW = Date.UTC(2026, 10, 21, 12);

export const integers = new Integers(Buffer.alloc(32, 1));

/** Creates a command context: `acting('agent_poster0000')`. */
export function commandContext(actor: string, changed: Partial<CommandContext> = {}): CommandContext {
  const requestKey = changed.requestKey ?? `request/${actor}`;
  const authorization = { mode: 'service', reason: 'test' } as const;
  return {
    actor,
    at: NOW,
    requestKey,
    cause: requestKey,
    decidedBy: 'test@1',
    authorization,
    basedOn: {},
    ids: new DerivedIds(integers, requestKey),
    ...changed,
  };
}

export function asEvents(facts: readonly Fact[], stream = 'test-stream', at = NOW): Event[] {
  return facts.map((fact, revision) => ({
    ...fact,
    id: deriveEventId('given', stream, fact.type, revision),
    stream,
    at,
    actor: 'service',
    cause: 'test',
    decided_by: 'test@1',
    based_on: {},
    authorization: { mode: 'service', reason: 'test' },
    revision,
    position: String(revision + 1).padStart(POSITION_WIDTH, '0'),
  }));
}

export function stateOf<S>(entity: Entity<S>, ...facts: Fact[]): S {
  return asEvents(facts).reduce((state, event) => entity.evolve(state, event), entity.initial);
}

/** `given(Job, posted).when(job => ...).then(Applied(...))`: past events, decision, expected events. */
export function given<S>(entity: Entity<S>, ...facts: Fact[]) {
  return { when: (decide: (state: S) => Fact[]) => new DecisionExpectation(() => decide(stateOf(entity, ...facts))) };
}

interface DecisionResult {
  readonly decided?: unknown;
  readonly refused?: string;
  readonly field?: string | undefined;
  readonly message?: string;
}

export class DecisionExpectation {
  constructor(private readonly decide: () => Fact[]) {}

  then(...facts: Fact[]): void {
    expect(this.decide()).toEqual(facts);
  }

  /** Expects these types in order and returns the events. */
  thenTypes(...types: string[]): Fact[] {
    const facts = this.decide();
    expect(facts.map(({ type }) => type)).toEqual(types);
    return facts;
  }

  thenNothing(): void {
    expect(this.decide()).toEqual([]);
  }

  /** Expects a refusal with this code and field. */
  thenRefused(code: string, field?: string): void {
    const { message = '', ...decided } = this.decidedOrRefused();
    expect(decided).toEqual({ refused: code, field });
    expect(message).toMatch(/^[A-Z`].*\.$/s);
  }

  thenThrows(kind: new (...args: never[]) => Error): void {
    expect(this.error()).toBeInstanceOf(kind);
  }

  private error(): unknown {
    try {
      return this.decide();
    } catch (error) {
      return error;
    }
  }

  private decidedOrRefused(): DecisionResult {
    const error = this.error();
    if (error instanceof Refusal) return { refused: error.code, field: error.details.field, message: error.message };
    if (error instanceof Error) throw error;
    return { decided: error };
  }
}
