import { askedOf } from '#libs/audit/decisions/asked.js';
import { History } from '#libs/audit/history.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { IdTaken } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { type Asked, Contradiction, type Decision, Undecided } from '#libs/verbs/decision.js';

/** What came of a decision: facts, or the code of what refused it. */
export type Outcome = { readonly facts: readonly Fact[] } | { readonly refused: string };

/** A decision as it was made once: what it saw, and what came of it. */
export interface Recorded {
  /** The first event that it wrote, which holds its request. */
  readonly event: Event;
  /** The state of the deciding stream. */
  readonly own: unknown;
  /** The states of the other streams that it read, by name. */
  readonly others: { readonly [stream: string]: unknown };
  readonly outcome: Outcome;
}

/** Decides on the very same once more. */
export function decideAgain(decision: Decision, { event, own, others }: Omit<Recorded, 'outcome'>): Outcome {
  const look = <S>(stream: string, initial: S) => (stream in others ? (others[stream] as S) : initial);
  const asked: Asked = {
    ...askedOf(event, new History()),
    own: <S>() => own as S,
    read: ({ stream, entity }) => look(stream, entity.initial),
    other: (stream, entity) => look(stream, entity.initial),
    byNow: (stream, entity) => look(stream, entity.initial),
  };
  return outcomeOf(() => decision.decide(asked));
}

/** Decides on what an auditor's history holds, and keeps what was looked at. */
export function record(decision: Decision, event: Event, history: History): Recorded {
  const asked = askedOf(event, history);
  let own: unknown = null;
  const others: { [stream: string]: unknown } = {};
  const seen = <S>(stream: string, state: S) => (others[stream] = state);
  const outcome = outcomeOf(() =>
    decision.decide({
      ...asked,
      own: entity => (own = asked.own(entity)),
      read: source => seen(source.stream, asked.read(source)),
      other: (stream, entity) => seen(stream, asked.other(stream, entity)),
      byNow: (stream, entity) => seen(stream, asked.byNow(stream, entity)),
    }),
  );
  return { event, own, others, outcome };
}

function outcomeOf(decide: () => readonly Fact[]): Outcome {
  try {
    return { facts: decide() };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code };
    if (error instanceof IdTaken) return { refused: 'id taken' };
    if (error instanceof Contradiction) return { refused: `contradiction: ${error.message}` };
    if (error instanceof Undecided) return { refused: 'undecided' };
    throw error;
  }
}

/** States hold maps, which JSON does not know. */
export const toJson = (recorded: readonly Recorded[]): string =>
  JSON.stringify(recorded, (_key, value: unknown) => (value instanceof Map ? { $map: [...value] } : value), 1);

export const fromJson = (text: string): Recorded[] =>
  JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '$map' in value
      ? new Map((value as { $map: [unknown, unknown][] }).$map)
      : value,
  ) as Recorded[];
