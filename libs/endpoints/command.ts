import type { TObject } from 'typebox';
import { type FieldDeclarations, type FieldValues } from '#libs/validation/request-fields.js';
import type { CommandOutcome, Sources, StatesOf } from '#libs/event-log/execute-command.js';
import type { HttpRequest } from '#libs/http/http-request.js';
import type { CommandContext, DecisionContext, StreamSource } from '#libs/kernel/decide.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import type { AnyEventType, EventOf, FactOf } from '#libs/domain/define.js';
import type { CallerRules } from './caller-rules.js';
import type { ReplayedDecision } from './decision.js';
import {
  type CompletedAuthenticatedSpec,
  completeAuthenticatedSpec,
  type Declaration,
  type TypeErased,
  type ResolvedDependencies,
  type ReplyBody,
  type AuthenticatedSpec,
  type Dependencies,
} from './endpoint-declaration.js';
import type { Ids } from '#libs/kernel/ids.js';
import type { Refusal } from '#libs/kernel/refusal.js';
import type { AnyPaidAction, Followed, PaidAction } from './paid-action.js';
import { fieldsByName } from './shown-fields.js';

export interface ExecutedCommand<V, L, R, E, G> extends CommandOutcome<L, R, E> {
  readonly fields: V;
  readonly context: CommandContext;
  readonly given: G;
}

export interface ExternalInput<V, G, U> {
  find(fields: V, context: CommandContext, uses: U, request: HttpRequest): G | Promise<G>;
  /** Derives the input from the event, for auditors. Throws `NotReplayable` if it is private or erased. */
  fromEvent(fields: V, replay: ReplayedDecision): G;
  /** Streams, beside those of `reads`, whose state would have refused the request since well before the event. */
  mustRead(fields: V, replay: ReplayedDecision): readonly string[];
}

/** `mustRead` of what settings, the vault or a page decide, or what `fromEvent` finds in the log. */
export const readsNoFurtherStream = (): readonly string[] => [];

/** Earlier rules of a command. Decisions made by them stay valid. */
export type OlderRules = TypeErased<{
  readonly version: number;
  readonly fields?: FieldDeclarations;
  readonly fromEvent?: (fields: FieldValues<FieldDeclarations>, replay: ReplayedDecision) => unknown;
  readonly decide?: (
    state: unknown,
    fields: FieldValues<FieldDeclarations>,
    context: DecisionContext,
    reads: StatesOf<Sources>,
    given: unknown,
  ) => readonly Fact[];
}>;

export interface CommandSpec<
  F extends FieldDeclarations,
  U extends Dependencies,
  E extends readonly AnyEventType[],
  A extends TObject,
  G,
  S,
  R extends Sources,
  L extends S,
  T extends Followed,
  DS,
  DE extends readonly AnyEventType[],
  RP extends ReplyBody<A>,
  N extends Sources = Record<never, never>,
>
  extends AuthenticatedSpec<F, U, A>, Pick<CallerRules, 'whileLinked'> {
  /**
   * Whether it destroys the actor's key. It then also works without the key, its signed request is stored in the clear,
   * and it refuses unknown fields. False by default.
   */
  readonly erases?: boolean;
  /** Version of its rules; 1 by default. */
  readonly version?: number;
  readonly older?: readonly OlderRules[];
  /** Whether a GET with a bearer token runs the same command. */
  readonly byGet?: boolean;
  readonly headers?: { readonly [name: string]: string };
  /** Refuses a misspelt optional field instead of ignoring it, because that field would cost or save money. */
  readonly refusesMisspellings?: boolean;
  readonly events: E;
  /** The response holds a secret: a replay rebuilds it from events instead of saving it. */
  readonly secret?: boolean;
  /** The acting muse, if the request creates it. */
  readonly actor?: (fields: FieldValues<F>, ids: Ids) => string;
  /** Whether the derived id is taken by another request. The next derived id is then tried. */
  readonly isTaken?: (
    fields: FieldValues<F>,
    context: CommandContext,
    uses: ResolvedDependencies<U>,
  ) => Promise<boolean>;
  /**
   * Finds the fields of a request that auditors cannot read in its first event. If this is left out, the event has them
   * under their names. `ANY_TEXT` is a text that passes every check; `notInEvents` if the fields do not follow.
   */
  readonly fieldsFromEvent?: (event: EventOf<E[number]>, isFirst: boolean) => FieldValues<F>;
  /** Whether a further event of a hidden request may show fields that its first one does not: it is then decided too. */
  readonly decidesEach?: boolean;
  readonly given?: ExternalInput<FieldValues<F>, G, ResolvedDependencies<U>>;
  readonly writes: (fields: FieldValues<F>, context: DecisionContext) => StreamSource<S>;
  readonly reads?: (fields: FieldValues<F>, context: DecisionContext) => R;
  /** Instead of `reads`, if the streams follow from the state of the stream that it writes. */
  readonly readsByState?: (state: S, fields: FieldValues<F>, context: DecisionContext) => R;
  /** Streams that follow from those of `reads`. */
  readonly readsNext?: (reads: StatesOf<R>) => N;
  /** Pure. Returns no events if nothing changes; throws a `Refusal`. */
  readonly decide: (
    state: S,
    fields: FieldValues<F>,
    context: DecisionContext,
    reads: StatesOf<R> & StatesOf<N>,
    given: G,
  ) => readonly FactOf<E[number]>[];
  /**
   * Called after a refusal: writes the events that an outage kept from following an answered request. Returns whether
   * to try again.
   */
  readonly repair?: (fields: FieldValues<F>, uses: ResolvedDependencies<U>, code: Refusal['code']) => Promise<boolean>;
  /** Claims unique values before the events are written. Throws a `Refusal` if another muse holds one. */
  readonly claim?: (
    what: {
      readonly fields: FieldValues<F>;
      readonly context: CommandContext;
      readonly given: G;
      readonly facts: readonly Fact[];
    },
    uses: ResolvedDependencies<U>,
  ) => Promise<void>;
  /** Checks the state after the append; any other state is a defect. */
  readonly isExpectedState?: (state: S) => state is L;
  /** Runs right after the append. If the process dies first, a reaction does the same. */
  readonly then?: (
    outcome: ExecutedCommand<FieldValues<F>, L, StatesOf<R>, EventOf<E[number]>, G>,
    uses: ResolvedDependencies<U>,
  ) => Promise<T>;
  /** `after` is empty if an outage ended `then`: a 503 would deny events that are written. */
  readonly reply: (
    outcome: ExecutedCommand<FieldValues<F>, L, StatesOf<R>, EventOf<E[number]>, G>,
    after: E extends readonly [] ? T : Partial<T>,
  ) => RP;
  readonly sale?: PaidAction<FieldValues<F>, ResolvedDependencies<U>, ReplyBody<A>, DS, DE>;
}

interface CompletedCommand extends CompletedAuthenticatedSpec {
  readonly kind: 'command';
  readonly version: number;
  readonly older: readonly OlderRules[];
  readonly secret: boolean;
  readonly fieldsFromEvent: (event: Event, isFirst: boolean) => FieldValues<FieldDeclarations>;
}

export type CommandDeclaration<N extends string, Spec> = Declaration<N, Spec, CompletedCommand>;

type Events = readonly AnyEventType[];
type ErasedCommandSpec = TypeErased<
  CommandSpec<
    FieldDeclarations,
    Dependencies,
    Events,
    TObject,
    unknown,
    unknown,
    Sources,
    unknown,
    Followed,
    unknown,
    Events,
    ReplyBody<TObject>,
    Sources
  >
>;
export type AnyCommand = CommandDeclaration<
  string,
  Omit<ErasedCommandSpec, 'sale'> & { readonly sale?: AnyPaidAction }
>;

/** Declares a command. Its route, handler, API description, client method and audit decision are derived from this. */
export function defineCommand<
  const N extends string,
  const F extends FieldDeclarations,
  const U extends Dependencies,
  const E extends readonly AnyEventType[],
  A extends TObject,
  G,
  S,
  R extends Sources,
  L extends S = S,
  T extends Followed = Followed,
  DS = unknown,
  DE extends readonly AnyEventType[] = readonly AnyEventType[],
  const RP extends ReplyBody<A> = ReplyBody<A>,
  RN extends Sources = Record<never, never>,
>(
  name: N,
  spec: CommandSpec<F, U, E, A, G, S, R, L, T, DS, DE, RP, RN>,
): CommandDeclaration<N, CommandSpec<F, U, E, A, G, S, R, L, T, DS, DE, RP, RN>> {
  const completed = completeAuthenticatedSpec(name, spec);
  if (spec.sale && completed.limits.some(({ of }) => of))
    throw new Error(`${name}: a paid command cannot have limits that count its events.`);
  const { version = 1, older = [], secret = false } = spec;
  const { fieldsFromEvent = fieldsByName(name, spec.fields, spec.events) } = spec;
  const shown = fieldsFromEvent as CompletedCommand['fieldsFromEvent'];
  return { ...spec, ...completed, kind: 'command', name, version, older, secret, fieldsFromEvent: shown };
}

/** Streams that the decision reads. */
export const sourcesOf = (
  { reads, readsByState }: Pick<AnyCommand, 'reads' | 'readsByState'>,
  fields: FieldValues<FieldDeclarations>,
  context: DecisionContext,
  state: unknown,
) => (readsByState ? readsByState(state, fields, context) : reads?.(fields, context));
