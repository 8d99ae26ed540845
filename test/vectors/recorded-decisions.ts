import { replayedDecision } from '#libs/audit/decisions/replayed-decision.js';
import { History } from '#libs/audit/history.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { IdCollision, sha256Hex } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { AuditMismatch, type Decision, type ReplayedDecision, NotReplayable } from '#libs/endpoints/decision.js';
import { textOf, variantsOfField } from './field-variants.js';
import { stateAfter, stateNames } from './story-states.js';

/** Outcome of a decision: facts, or the code of its refusal. */
export type DecisionOutcome = { readonly facts: readonly Fact[] } | { readonly refused: string };

/** A recorded decision: its input and its outcome. */
export interface RecordedDecision {
  /** First event it wrote, which holds its request. */
  readonly event: Event;
  readonly own: unknown;
  readonly others: { readonly [stream: string]: unknown };
  readonly outcome: DecisionOutcome;
  /** Outcome of each variant: event types and a digest of the facts, or the code and reason of the refusal. */
  readonly variants: { readonly [what: string]: string };
}

type DecisionInput = Omit<RecordedDecision, 'outcome' | 'variants'>;

export const decideAgain = (decision: Decision, seen: DecisionInput): DecisionOutcome =>
  outcomeOf(() => decision.decide(toRecordedReplay(seen)));

function toRecordedReplay({ event, own, others }: DecisionInput): ReplayedDecision {
  const look = <S>(stream: string, initial: S) => (stream in others ? (others[stream] as S) : initial);
  return {
    ...replayedDecision(event, new History()),
    own: <S>() => own as S,
    read: ({ stream, entity }) => look(stream, entity.initial),
    other: (stream, entity) => look(stream, entity.initial),
    currentState: (stream, entity) => look(stream, entity.initial),
    pastStates: () => null,
  };
}

/** Decides on an auditor's history and records the states it reads. */
export function record(decision: Decision, event: Event, history: History): Omit<RecordedDecision, 'variants'> {
  const replayed = replayedDecision(event, history);
  let own: unknown = null;
  const others: { [stream: string]: unknown } = {};
  const seen = <S>(stream: string, state: S) => (others[stream] = state);
  const outcome = outcomeOf(() =>
    decision.decide({
      ...replayed,
      own: entity => (own = replayed.own(entity)),
      read: source => seen(source.stream, replayed.read(source)),
      other: (stream, entity) => seen(stream, replayed.other(stream, entity)),
      currentState: (stream, entity) => seen(stream, replayed.currentState(stream, entity)),
    }),
  );
  return { event, own, others, outcome };
}

const OWN = 'own';
const STRANGER = 'agent_stranger00';

const fieldsOf = ({ authorization }: Event) => ('sealed' in authorization && authorization.sealed?.fields) || {};
const hasFields = ({ authorization }: Event) => 'sealed' in authorization && authorization.sealed?.fields !== undefined;

function byStranger({ event, own, others }: DecisionInput): DecisionInput {
  const { actor, based_on } = event;
  const [mine, theirs] = [`muse-${actor}`, `muse-${STRANGER}`];
  const moved = { ...event, actor: STRANGER, based_on: { ...based_on, [theirs]: based_on[mine] ?? 0 } };
  return { event: moved, own, others: { ...others, [theirs]: others[mine] } };
}

function withEmptyStream(stream: string, { others, ...seen }: DecisionInput): DecisionInput {
  return { ...seen, others: Object.fromEntries(Object.entries(others).filter(([name]) => name !== stream)) };
}

function withText(name: string, text: string, { event, ...seen }: DecisionInput): DecisionInput {
  const { sealed } = event.authorization as { readonly sealed: object };
  const authorization = { ...event.authorization, sealed: { ...sealed, fields: { ...fieldsOf(event), [name]: text } } };
  return { ...seen, event: { ...event, authorization: authorization as Event['authorization'] } };
}

function withState(stream: string, type: string, { own, others, event }: DecisionInput): DecisionInput {
  if (stream === OWN) return { event, own: stateAfter(event.stream, type, own), others };
  return { event, own, others: { ...others, [stream]: stateAfter(stream, type, others[stream]) } };
}

/** Variant such as `a stranger`, `no job-1`, `job-1 after JobClosed`, `own after JobClosed` or `note: letters 601`. */
function variantOf(what: string, seen: DecisionInput): DecisionInput {
  if (what === 'a stranger') return byStranger(seen);
  const [stream, type] = what.split(' after ') as [string, string?];
  if (type !== undefined) return withState(stream, type, seen);
  const [name, text] = what.split(': ') as [string, string?];
  return text === undefined ? withEmptyStream(what.slice('no '.length), seen) : withText(name, textOf(text), seen);
}

const listTypes = (facts: readonly Fact[]) => facts.map(({ type }) => type).join();

const DIGITS = 8;
const withDigest = (facts: readonly Fact[]) =>
  `${listTypes(facts)} ${sha256Hex(canonicalJson(facts)).slice(0, DIGITS)}`;

/** The facts, or the code and reason of the refusal such as `note too_long`. */
function summaryOf(decision: Decision, seen: DecisionInput, describe: (facts: readonly Fact[]) => string): string {
  try {
    return describe(decision.decide(toRecordedReplay(seen)));
  } catch (error) {
    const [fault] = (error instanceof Refusal && error.details.faults) || [];
    return fault ? `${codeOf(error)} ${fault.reason}` : codeOf(error);
  }
}

const isAccepted = (decision: Decision, seen: DecisionInput) => 'facts' in decideAgain(decision, seen);

/** Every state that a stream which the decision reads can be in; a refused request is mostly refused in any state. */
export function stateVariants(decision: Decision, seen: DecisionInput): string[] {
  if (!isAccepted(decision, seen)) return [];
  const own = seen.own === null ? [] : stateNames(seen.event.stream).map(type => `${OWN} after ${type}`);
  return [
    ...own,
    ...Object.keys(seen.others).flatMap(stream => stateNames(stream).map(type => `${stream} after ${type}`)),
  ];
}

/** Variants of a decision; their limits are those of the day of recording. */
export function variantsOf(decision: Decision, seen: DecisionInput): string[] {
  const checks = decision.request?.fields ?? {};
  const ofField = (name: string) =>
    variantsOfField(checks[name]?.value, text => summaryOf(decision, withText(name, text, seen), listTypes));
  const isVaried = hasFields(seen.event) && isAccepted(decision, seen);
  return [
    'a stranger',
    ...Object.keys(seen.others).map(name => `no ${name}`),
    ...stateVariants(decision, seen),
    ...(isVaried ? Object.keys(checks) : []).flatMap(name => ofField(name).map(text => `${name}: ${text}`)),
  ];
}

export function outcomesOf(
  variants: readonly string[],
  decision: Decision,
  seen: DecisionInput,
): { [what: string]: string } {
  return Object.fromEntries(variants.map(what => [what, summaryOf(decision, variantOf(what, seen), withDigest)]));
}

function outcomeOf(decide: () => readonly Fact[]): DecisionOutcome {
  try {
    return { facts: decide() };
  } catch (error) {
    return { refused: codeOf(error) };
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  if (error instanceof IdCollision) return 'id taken';
  if (error instanceof AuditMismatch) return 'contradiction';
  if (error instanceof NotReplayable) return 'undecided';
  throw error;
}

/** Encodes maps, which JSON cannot represent. */
export const toJson = (recorded: readonly RecordedDecision[]): string =>
  JSON.stringify(recorded, (_key, value: unknown) => asJson(value), 1);

function asJson(value: unknown): unknown {
  if (value instanceof PersistentMap) return { $persistent: [...value] };
  return value instanceof Map ? { $map: [...value] } : value;
}

export const fromJson = (text: string): RecordedDecision[] =>
  JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null ? fromJsonAt(value) : value,
  ) as RecordedDecision[];

type Entries = readonly (readonly [string | number, unknown])[];

const persistent = (entries: Entries) =>
  entries.reduce((map, [key, value]) => map.with(key, value), PersistentMap.empty<string | number, unknown>());

function fromJsonAt(value: object): unknown {
  if ('$persistent' in value) return persistent(value.$persistent as Entries);
  return '$map' in value ? new Map(value.$map as Entries) : value;
}
