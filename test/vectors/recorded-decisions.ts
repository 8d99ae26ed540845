import { askedOf } from '#libs/audit/decisions/asked.js';
import { History } from '#libs/audit/history.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';
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
  /** What comes of it where one thing is otherwise: the types that are written, or the code of the refusal. */
  readonly variants?: { readonly [what: string]: string };
}

type Seen = Omit<Recorded, 'outcome' | 'variants'>;

/** Decides on the very same once more. */
export function decideAgain(decision: Decision, { event, own, others }: Seen): Outcome {
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

const STRANGER = 'agent_stranger00';
/** What is sent in each field in place of what was: too short for some, too long for others. */
const TEXTS = ['x', 'x'.repeat(15), 'x'.repeat(150), 'x'.repeat(700), 'x'.repeat(3_000), '1', 'true'];

/** The same as somebody else would have asked it, with nothing to read, and with other texts in each field. */
function variantsOf({ event, own, others }: Seen): [what: string, seen: Seen][] {
  const { actor, based_on, authorization } = event;
  const [mine, theirs] = [`muse-${actor}`, `muse-${STRANGER}`];
  const moved = { ...event, actor: STRANGER, based_on: { ...based_on, [theirs]: based_on[mine] ?? 0 } };
  const fields = ('sealed' in authorization && authorization.sealed?.fields) || {};
  const withText = (name: string, text: string): Event => {
    const { sealed } = authorization as { readonly sealed: object };
    const asked = { ...authorization, sealed: { ...sealed, fields: { ...fields, [name]: text } } };
    return { ...event, authorization: asked as Event['authorization'] };
  };
  const without = (stream: string) => Object.fromEntries(Object.entries(others).filter(([name]) => name !== stream));
  return [
    ['a stranger', { event: moved, own, others: { ...others, [theirs]: others[mine] } }],
    ...Object.keys(others).map((name): [string, Seen] => [`no ${name}`, { event, own, others: without(name) }]),
    ...Object.keys(fields).flatMap(name =>
      TEXTS.map((text, at): [string, Seen] => [`${name} ${at}`, { event: withText(name, text), own, others }]),
    ),
  ];
}

/** What comes of each variant of a recorded decision. */
export function outcomesOfVariants(decision: Decision, recorded: Seen): { [what: string]: string } {
  const told = (outcome: Outcome) =>
    'refused' in outcome ? outcome.refused : outcome.facts.map(each => each.type).join();
  return Object.fromEntries(variantsOf(recorded).map(([what, seen]) => [what, told(decideAgain(decision, seen))]));
}

function outcomeOf(decide: () => readonly Fact[]): Outcome {
  try {
    return { facts: decide() };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code };
    if (error instanceof IdTaken) return { refused: 'id taken' };
    if (error instanceof Contradiction) return { refused: 'contradiction' };
    if (error instanceof Undecided) return { refused: 'undecided' };
    throw error;
  }
}

/** States hold maps, which JSON does not know. */
export const toJson = (recorded: readonly Recorded[]): string =>
  JSON.stringify(recorded, (_key, value: unknown) => asJson(value), 1);

function asJson(value: unknown): unknown {
  if (value instanceof PersistentMap) return { $persistent: [...value] };
  return value instanceof Map ? { $map: [...value] } : value;
}

export const fromJson = (text: string): Recorded[] =>
  JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null ? fromJsonAt(value) : value,
  ) as Recorded[];

type Entries = readonly (readonly [string | number, unknown])[];

const persistent = (entries: Entries) =>
  entries.reduce((map, [key, value]) => map.with(key, value), PersistentMap.empty<string | number, unknown>());

function fromJsonAt(value: object): unknown {
  if ('$persistent' in value) return persistent(value.$persistent as Entries);
  return '$map' in value ? new Map(value.$map as Entries) : value;
}
