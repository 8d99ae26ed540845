import type { TObject } from 'typebox';
import { type FieldDeclarations, type FieldValues } from '#libs/validation/request-fields.js';
import type { CommandOutcome, Sources, StatesOf } from '#libs/event-log/execute-command.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
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
import type { Ids } from '#libs/kernel/derived-ids.js';
import type { AnyPaidAction, Followed, PaidAction } from './paid-action.js';

/** The result of a verb, for its answer. `L` is the state that it leaves. */
export interface VerbOutcome<V, L, R, E, G> extends CommandOutcome<L, R, E> {
  readonly fields: V;
  readonly context: CommandContext;
  readonly given: G;
}

/** What a decision needs that neither the request nor a stream holds. */
export interface ExternalInput<V, G, U> {
  find(fields: V, context: CommandContext, uses: U, request: HttpRequest): G | Promise<G>;
  /** The same as it stands in what was written, for who decides again; throws `Undecided` where that is not shown. */
  said(fields: V, asked: ReplayedDecision): G;
}

/** An older version of a verb's rules: what was decided by it stays right. */
export type OlderRules = TypeErased<{
  readonly version: number;
  /** The fields as they were, where a check has changed since. */
  readonly fields?: FieldDeclarations;
  /** `said` of `given`, where events are read otherwise since. */
  readonly said?: (fields: FieldValues<FieldDeclarations>, asked: ReplayedDecision) => unknown;
  /** The decision, where it has changed since. */
  readonly decide?: (
    state: unknown,
    fields: FieldValues<FieldDeclarations>,
    context: DecisionContext,
    reads: StatesOf<Sources>,
    given: unknown,
  ) => readonly Fact[];
}>;

/** Everything about a verb. Type parameters are inferred: nobody writes them out. */
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
>
  extends AuthenticatedSpec<F, U, A>, Pick<CallerRules, 'whileLinked'> {
  /** Whether the actor's key is destroyed by it: then one whose key is gone already may still do it; by default not. */
  readonly erases?: boolean;
  /** Of its rules; 1 where they have never changed. */
  readonly version?: number;
  readonly older?: readonly OlderRules[];
  /** A GET of its path with a bearer token is the same command. */
  readonly byGet?: boolean;
  /** Header fields that it looks at, and what each says. */
  readonly headers?: { readonly [name: string]: string };
  /** A name that is a slip of a field that was left out is refused, not ignored: that field would cost or save money. */
  readonly refusesMisspellings?: boolean;
  /** Every type of event that it may write. */
  readonly events: E;
  /** Its answer holds a secret: a repetition is carried out again from events instead of saved. */
  readonly secret?: boolean;
  /** As whom it acts, where the request itself makes the muse. */
  readonly actor?: (fields: FieldValues<F>, ids: Ids) => string;
  /** Whether that muse is another request's: then the next id that is derived is tried. */
  readonly isTaken?: (
    fields: FieldValues<F>,
    context: CommandContext,
    uses: ResolvedDependencies<U>,
  ) => Promise<boolean>;
  /** What was asked for, as the first event that was written says, where nobody authorized the request. */
  readonly asked?: (event: Event) => FieldValues<F>;
  readonly given?: ExternalInput<FieldValues<F>, G, ResolvedDependencies<U>>;
  /** The stream that decides, and that its events go into. */
  readonly writes: (fields: FieldValues<F>, context: DecisionContext) => StreamSource<S>;
  /** What else the decision reads; undefined where there is nothing to be read. */
  readonly reads?: (fields: FieldValues<F>, context: DecisionContext, state: S) => R;
  /** Pure. No events where there is nothing to change; throws a `Refusal`. */
  readonly decide: (
    state: S,
    fields: FieldValues<F>,
    context: DecisionContext,
    reads: StatesOf<R>,
    given: G,
  ) => readonly FactOf<E[number]>[];
  /** Takes what must be unique before the events are written; throws a `Refusal` where it is somebody else's. */
  readonly claim?: (
    what: {
      readonly fields: FieldValues<F>;
      readonly context: CommandContext;
      readonly given: G;
      readonly facts: readonly Fact[];
    },
    uses: ResolvedDependencies<U>,
  ) => Promise<void>;
  /** Whether the state is one that the verb leaves behind; anything else is a defect. */
  readonly leaves?: (state: S) => state is L;
  /** What follows at once; a process that dies before it leaves it to a reaction. */
  readonly then?: (
    outcome: VerbOutcome<FieldValues<F>, L, StatesOf<R>, EventOf<E[number]>, G>,
    uses: ResolvedDependencies<U>,
  ) => Promise<T>;
  /** Replaces `then` during an outage, from the events alone: a 503 would deny what was written. */
  readonly duringOutage?: (outcome: VerbOutcome<FieldValues<F>, L, StatesOf<R>, EventOf<E[number]>, G>) => T;
  readonly reply: (outcome: VerbOutcome<FieldValues<F>, L, StatesOf<R>, EventOf<E[number]>, G>, after: T) => RP;
  /** What is paid for it. */
  readonly sale?: PaidAction<FieldValues<F>, ResolvedDependencies<U>, ReplyBody<A>, DS, DE>;
}

interface CompletedCommand extends CompletedAuthenticatedSpec {
  readonly kind: 'verb';
  readonly version: number;
  readonly older: readonly OlderRules[];
  readonly secret: boolean;
  /** Codes of its own rules, without those of every verb. */
  readonly errors: readonly ServiceErrorCode[];
}

/** A verb with the types of its name, its fields and its answer, which clients are made of. */
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
    ReplyBody<TObject>
  >
>;
/** A verb as everything but its own file knows it. */
export type AnyCommand = CommandDeclaration<
  string,
  Omit<ErasedCommandSpec, 'sale'> & { readonly sale?: AnyPaidAction }
>;

/**
 * Declares a verb. Its route, its command and handler, its entry in the API description, the client's method and the
 * auditor's decision follow from this alone; a module lists it.
 */
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
>(
  name: N,
  spec: CommandSpec<F, U, E, A, G, S, R, L, T, DS, DE, RP>,
): CommandDeclaration<N, CommandSpec<F, U, E, A, G, S, R, L, T, DS, DE, RP>> {
  const completed = completeAuthenticatedSpec(name, spec);
  if (spec.sale && completed.limits.some(({ of }) => of))
    throw new Error(`${name}: what is sold is not counted by its events.`);
  const { version = 1, older = [], secret = false, errors = [] } = spec;
  return { ...spec, ...completed, kind: 'verb', name, version, older, secret, errors };
}
