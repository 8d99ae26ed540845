import type { Abstract } from '@nestjs/common';
import type { Static, TObject } from 'typebox';
import { type Fields, type ValuesOf } from '#libs/checks/fields.js';
import { requestClass, type RequestClass } from '#libs/checks/request-class.js';
import type { Sources, StatesOf } from '#libs/event-log/carry-out.js';
import type { Code } from '#libs/kernel/codes.js';
import type { Source } from '#libs/kernel/decide.js';
import type { Event, Fact, RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Unchanging } from '#libs/kernel/unchanging.js';
import { type Declared, type EndpointLimit, endpointLimits, type Limit } from '#libs/limits/limit.js';
import type { AnyEventType, EventOf, FactOf } from '#libs/streams/define.js';
import type { Acting, Asking, Deciding } from './acting.js';
import type { Asked } from './decision.js';
import type { Ids } from './ids.js';
import type { AnySale, Followed, Sale } from './sale.js';
import { type WhileSuspended, whileSuspended } from './while-suspended.js';

/** The caller: a muse that has `joined`, any `known` muse, a `newKey` that signs for itself, or `anyone` unsigned. */
export type Who = 'joined' | 'known' | 'newKey' | 'anyone';

/** Services that a declaration uses, by the classes that Nest knows them under. */
export interface Uses {
  readonly [name: string]: Abstract<unknown>;
}
export type Instances<U extends Uses> = { readonly [K in keyof U]: U[K]['prototype'] };

/** The members of an answer besides `ok`. */
export type Reply<A extends TObject> = { readonly [K in keyof Static<A>]: Unchanging<Static<A>[K]> };

/** What the API description says of an operation besides what its declaration says by itself. */
export interface Doc {
  /** The heading that it stands under. */
  readonly tag: string;
  /** One line. */
  readonly summary: string;
  /** What a caller has to know besides, in sentences. */
  readonly details?: string;
  /** Fields of a request that works, apart from its ids. */
  readonly example?: JsonObject;
}

/** What was carried out, for who answers. `L` is the state that is left. */
export interface CarriedOut<V, L, R, E, G> {
  readonly fields: V;
  readonly asking: Asking;
  readonly state: L;
  readonly reads: R;
  /** What this request has written into the stream, now or the first time; none where there was nothing to change. */
  readonly events: readonly E[];
  /** Whether it had been carried out before. */
  readonly repeated: boolean;
  readonly given: G;
}

/** What a decision needs that neither the request nor a stream holds. */
export interface Given<V, G, U> {
  find(fields: V, asking: Asking, uses: U): G | Promise<G>;
  /** The same as it stands in what was written, for who decides again; throws `Undecided` where that is not shown. */
  said(fields: V, asked: Asked): G;
}

/** An older version of a verb's rules: what was decided by it stays right. */
export interface OlderRules {
  readonly version: number;
  /** The fields as they were, where a check has changed since. */
  readonly fields?: Fields;
  /** `said` of what was found out, where that is read otherwise since. */
  readonly said?: (fields: never, asked: Asked) => unknown;
  /** What decided, where that has changed since. */
  readonly decide?: (...parameters: never[]) => readonly Fact[];
}

/** Everything about a verb. Type parameters are inferred: nobody writes them out. */
export interface VerbSpec<
  F extends Fields,
  U extends Uses,
  E extends readonly AnyEventType[],
  A extends TObject,
  G,
  S,
  R extends Sources,
  L extends S,
  T extends Followed,
  DS,
  DE extends readonly AnyEventType[],
  RP extends Reply<A>,
> {
  readonly who: Who;
  /** Whether a suspended muse may still do it; by default not. */
  readonly whileSuspended?: WhileSuspended;
  /** Whether a muse that counts for another by now may still do it; by default not. */
  readonly whileLinked?: boolean;
  /** Whether a sibling identity may do it before it has joined; by default not. */
  readonly beforeJoining?: boolean;
  /** Whether the actor's key is destroyed by it: then one whose key is gone already may still do it; by default not. */
  readonly erases?: boolean;
  /** How often, besides the limits that every request has. */
  readonly limits?: readonly (Declared | Limit)[];
  /** Of its rules; 1 where they have never changed. */
  readonly version?: number;
  readonly older?: readonly OlderRules[];
  /** By default `/api/<name>`. Its last word is what a request signs. */
  readonly path?: string;
  /** A GET of its path with a bearer token is the same command. */
  readonly byGet?: boolean;
  readonly fields: F;
  /** Header fields that it looks at, and what each says. */
  readonly headers?: { readonly [name: string]: string };
  /** A name that is a slip of a field that was left out is refused, not ignored: that field would cost or save money. */
  readonly refusesSlips?: boolean;
  readonly uses?: U;
  /** Every type of event that it may write. */
  readonly events: E;
  /** The members of the answer besides `ok`. */
  readonly answer: A;
  /** Its answer holds a secret: a repetition is carried out again from events instead of saved. */
  readonly secret?: boolean;
  /** The codes of its own rules, besides those that every verb has. */
  readonly errors: readonly Code[];
  readonly doc: Doc;
  /** As whom it acts, where the request itself makes the muse. */
  readonly actor?: (fields: ValuesOf<F>, ids: Ids) => string;
  /** Whether that muse is another request's: then the next id that is derived is tried. */
  readonly isTaken?: (fields: ValuesOf<F>, asking: Asking, uses: Instances<U>) => Promise<boolean>;
  /** What was asked for, as the first event that was written says, where nobody authorized the request. */
  readonly asked?: (event: Event) => ValuesOf<F>;
  readonly given?: Given<ValuesOf<F>, G, Instances<U>>;
  /** The stream that decides, and that its events go into. */
  readonly writes: (fields: ValuesOf<F>, acting: Acting) => Source<S>;
  /** What else the decision reads; undefined where there is nothing to be read. */
  readonly reads?: (fields: ValuesOf<F>, acting: Acting, state: S) => R;
  /** Pure. No events where there is nothing to change; throws a `Refusal`. */
  readonly decide: (
    state: S,
    fields: ValuesOf<F>,
    deciding: Deciding,
    reads: StatesOf<R>,
    given: G,
  ) => readonly FactOf<E[number]>[];
  /** Takes what must be unique before the events are written; throws a `Refusal` where it is somebody else's. */
  readonly claim?: (
    what: { readonly fields: ValuesOf<F>; readonly asking: Asking; readonly given: G; readonly facts: readonly Fact[] },
    uses: Instances<U>,
  ) => Promise<void>;
  /** Whether the state is one that the verb leaves behind; anything else is a defect. */
  readonly leaves?: (state: S) => state is L;
  /** What follows at once; a process that dies before it leaves it to a reaction. */
  readonly then?: (
    done: CarriedOut<ValuesOf<F>, L, StatesOf<R>, EventOf<E[number]>, G>,
    uses: Instances<U>,
  ) => Promise<T>;
  /** Replaces `then` during an outage, from the events alone: a 503 would deny what was written. */
  readonly duringOutage?: (done: CarriedOut<ValuesOf<F>, L, StatesOf<R>, EventOf<E[number]>, G>) => T;
  readonly reply: (done: CarriedOut<ValuesOf<F>, L, StatesOf<R>, EventOf<E[number]>, G>, after: T) => RP;
  /** What is paid for it. */
  readonly sale?: Sale<ValuesOf<F>, Instances<U>, Reply<A>, DS, DE>;
}

/** A verb as everything but its own file knows it. */
export interface AnyVerb {
  readonly kind: 'verb';
  readonly name: string;
  /** From the root, with a slash before it. */
  readonly path: string;
  /** The last word of the path, which is what a request signs. */
  readonly endpoint: string;
  readonly byGet?: boolean;
  readonly who: Who;
  readonly whileSuspended: (sent: RequestFields) => boolean;
  readonly whileLinked?: boolean;
  readonly beforeJoining?: boolean;
  readonly erases?: boolean;
  readonly limits: readonly EndpointLimit[];
  readonly version: number;
  readonly older: readonly OlderRules[];
  readonly fields: Fields;
  readonly headers?: { readonly [name: string]: string };
  readonly refusesSlips?: boolean;
  readonly request: RequestClass;
  readonly uses: Uses;
  readonly events: readonly AnyEventType[];
  readonly answer: TObject;
  readonly secret: boolean;
  readonly errors: readonly Code[];
  readonly doc: Doc;
  readonly actor?: (fields: never, ids: Ids) => string;
  readonly isTaken?: (fields: never, asking: Asking, uses: never) => Promise<boolean>;
  readonly asked?: (event: Event) => object;
  readonly given?: Given<never, unknown, never>;
  readonly writes: (fields: never, acting: Acting) => Source<unknown>;
  readonly reads?: (fields: never, acting: Acting, state: never) => Sources;
  readonly decide: (...parameters: never[]) => readonly Fact[];
  readonly claim?: (what: never, uses: never) => Promise<void>;
  readonly leaves?: (state: never) => boolean;
  readonly then?: (done: never, uses: never) => Promise<Followed>;
  readonly duringOutage?: (done: never) => Followed;
  readonly reply: (done: never, after: never) => object;
  readonly sale?: AnySale;
}

/** A verb with the types of its name, its fields and its answer, which clients are made of. */
export type Verb<N extends string, Spec> = Omit<Spec, keyof Completed> & Completed & { readonly name: N };

/** What a declaration may leave out, and what follows from it. */
type Completed = Pick<
  AnyVerb,
  'kind' | 'path' | 'endpoint' | 'whileSuspended' | 'limits' | 'version' | 'older' | 'request' | 'secret' | 'uses'
>;

/**
 * Declares a verb. Its route, its command and handler, its entry in the API description, the client's method and the
 * auditor's decision follow from this alone; a module lists it.
 */
export function verb<
  const N extends string,
  const F extends Fields,
  const U extends Uses,
  const E extends readonly AnyEventType[],
  A extends TObject,
  G,
  S,
  R extends Sources,
  L extends S = S,
  T extends Followed = Followed,
  DS = unknown,
  DE extends readonly AnyEventType[] = readonly AnyEventType[],
  const RP extends Reply<A> = Reply<A>,
>(
  name: N,
  spec: VerbSpec<F, U, E, A, G, S, R, L, T, DS, DE, RP>,
): Verb<N, VerbSpec<F, U, E, A, G, S, R, L, T, DS, DE, RP>> {
  const path = spec.path ?? `/api/${name}`;
  const limits = endpointLimits(name, spec.limits);
  if (spec.sale && limits.some(({ of }) => of)) throw new Error(`${name}: what is sold is not counted by its events.`);
  return {
    ...spec,
    kind: 'verb',
    name,
    path,
    endpoint: path.split('/').at(-1)!,
    whileSuspended: whileSuspended(spec.whileSuspended),
    limits,
    version: spec.version ?? 1,
    older: spec.older ?? [],
    uses: spec.uses ?? {},
    secret: spec.secret ?? false,
    request: requestClass(name, spec.fields),
  };
}
