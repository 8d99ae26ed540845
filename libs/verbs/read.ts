import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Fields, ValuesOf } from '#libs/checks/fields.js';
import { requestClass, type RequestClass } from '#libs/checks/request-class.js';
import type { Code } from '#libs/kernel/codes.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Position, RequestFields } from '#libs/kernel/event.js';
import { type Declared, type EndpointLimit, endpointLimits } from '#libs/limits/limit.js';
import type { Doc, Instances, Reply, Uses, Who } from './verb.js';
import { type WhileSuspended, whileSuspended } from './while-suspended.js';

/** The request and its answer, for reads that are answered in more than one form or with another status. */
export interface Http {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** An answer that is sent as it is: whoever makes it says its media type. */
export type Raw = string | Buffer | Readable;

interface Described<U extends Uses, A extends TObject> {
  readonly uses?: U;
  /** The members of the answer besides `ok`. */
  readonly answer: A;
  /** The codes of its own rules, besides those that every read has. */
  readonly errors?: readonly Code[];
  readonly doc: Doc;
}

interface ReadSpec<
  P extends Fields,
  Q extends Fields,
  U extends Uses,
  A extends TObject,
  RP extends Reply<A>,
> extends Described<U, A> {
  /** From the root, with a slash before it; a name in it begins with a colon. */
  readonly path: string;
  /** What the names in the path stand for. What they hold is looked up, not checked. */
  readonly params?: P;
  /** The names that the query string may hold. A rule of the read refuses where a needed one is missing. */
  readonly query?: Q;
  /** Others have fixed the shape of its answer, which therefore has no `ok`. */
  readonly bare?: boolean;
  /** The media type of the answer, where it is no JSON. */
  readonly media?: string;
  /** The member of its answer, a number, that counts how often it is read. It is not part of the etag. */
  readonly counter?: string;
  /** How many events of the log an answer may hold: its limit points and its memory follow from it. */
  readonly eventsMax?: (request: FastifyRequest) => number;
  /** It is answered from what runs now and not from the read models: it has no position, and says itself if it is `ok`. */
  readonly live?: boolean;
  readonly find: (fields: ValuesOf<P & Q>, uses: Instances<U>, http: Http) => Promise<RP | Raw> | RP | Raw;
}

/** A GET as everything but its own file knows it. */
export interface AnyRead {
  readonly kind: 'read';
  readonly name: string;
  readonly path: string;
  readonly params: Fields;
  readonly query: Fields;
  readonly request: RequestClass;
  readonly uses: Uses;
  readonly answer: TObject;
  readonly errors: readonly Code[];
  readonly doc: Doc;
  readonly bare: boolean;
  readonly media?: string;
  readonly counter?: string;
  readonly eventsMax?: (request: FastifyRequest) => number;
  readonly live: boolean;
  readonly find: (fields: never, uses: never, http: Http) => unknown;
}

type CompletedRead = Pick<AnyRead, 'kind' | 'params' | 'query' | 'request' | 'uses' | 'errors' | 'bare' | 'live'>;
export type Read<
  N extends string,
  P extends Fields,
  Q extends Fields,
  A extends TObject,
  U extends Uses = Uses,
  RP extends Reply<A> = Reply<A>,
> = Omit<AnyRead, 'answer' | 'find'> &
  Pick<ReadSpec<P, Q, U, A, RP>, 'answer' | 'find'> & {
    readonly name: N;
    /** Carries the types of what it asks for; never read. */
    readonly asks?: ValuesOf<P & Q>;
  };

/** Declares a GET. Its route, its query and handler, its entry in the API description and the client's method follow. */
export function read<
  const N extends string,
  A extends TObject,
  const P extends Fields = Record<never, never>,
  const Q extends Fields = Record<never, never>,
  const U extends Uses = Uses,
  const RP extends Reply<A> = Reply<A>,
>(name: N, spec: ReadSpec<P, Q, U, A, RP>): Read<N, P, Q, A, U, RP> {
  const query: Fields = spec.query ?? {};
  const completed: CompletedRead = {
    kind: 'read',
    params: spec.params ?? {},
    query,
    request: requestClass(name, query),
    uses: spec.uses ?? {},
    errors: spec.errors ?? [],
    bare: spec.bare ?? false,
    live: spec.live ?? false,
  };
  return { ...spec, ...completed, name };
}

/** Who asks, and by what. */
export interface Caller {
  readonly actor: string;
  readonly context: Context;
}

/** An answer with the last position of what it was read from. */
interface Positioned<RP> {
  readonly position: Position;
  readonly body: RP;
}

interface AskSpec<F extends Fields, U extends Uses, A extends TObject, RP extends Reply<A>> extends Described<U, A> {
  readonly who: Exclude<Who, 'newKey' | 'anyone'>;
  /** Whether a suspended muse may still ask it; by default not. */
  readonly whileSuspended?: WhileSuspended;
  /** Whether a sibling identity may ask it before it has joined; by default not. */
  readonly beforeJoining?: boolean;
  /** How often, besides the limits that every request has. */
  readonly limits?: readonly Declared[];
  /** By default `/api/<name>`. */
  readonly path?: string;
  readonly fields: F;
  /** It is answered from the log and waits for no `min-position`. */
  readonly ofTheLog?: boolean;
  readonly find: (fields: ValuesOf<F>, caller: Caller, uses: Instances<U>, http: Http) => Promise<Positioned<RP>>;
}

/** A question that a signed or bearer POST asks, as everything but its own file knows it. */
export interface AnyAsk {
  readonly kind: 'ask';
  readonly name: string;
  readonly path: string;
  readonly endpoint: string;
  readonly who: Exclude<Who, 'newKey' | 'anyone'>;
  readonly whileSuspended: (sent: RequestFields) => boolean;
  readonly beforeJoining?: boolean;
  readonly limits: readonly EndpointLimit[];
  readonly fields: Fields;
  readonly request: RequestClass;
  readonly uses: Uses;
  readonly answer: TObject;
  readonly errors: readonly Code[];
  readonly doc: Doc;
  readonly ofTheLog: boolean;
  readonly find: (fields: never, caller: Caller, uses: never, http: Http) => Promise<Positioned<object>>;
}

export type Ask<
  N extends string,
  F extends Fields,
  A extends TObject,
  U extends Uses = Uses,
  RP extends Reply<A> = Reply<A>,
> = Omit<AnyAsk, 'answer' | 'fields' | 'find'> &
  Pick<AskSpec<F, U, A, RP>, 'answer' | 'fields' | 'find'> & { readonly name: N };

/** Declares a question that only an identity may ask, as a POST that changes nothing. */
export function ask<
  const N extends string,
  const F extends Fields,
  A extends TObject,
  const U extends Uses = Uses,
  const RP extends Reply<A> = Reply<A>,
>(name: N, spec: AskSpec<F, U, A, RP>): Ask<N, F, A, U, RP> {
  const path = spec.path ?? `/api/${name}`;
  return {
    ...spec,
    kind: 'ask',
    name,
    path,
    endpoint: path.split('/').at(-1)!,
    whileSuspended: whileSuspended(spec.whileSuspended),
    limits: endpointLimits(name, spec.limits),
    request: requestClass(name, spec.fields),
    uses: spec.uses ?? {},
    errors: spec.errors ?? [],
    ofTheLog: spec.ofTheLog ?? false,
  };
}

interface OpenSpec<F extends Fields, U extends Uses, A extends TObject> extends Described<U, A> {
  readonly path?: string;
  readonly fields: F;
  /** Throws where it is not there at all, before the fields are looked at. */
  readonly mustBeThere?: (uses: Instances<U>) => void;
  readonly perform: (fields: ValuesOf<F>, uses: Instances<U>) => Promise<NoInfer<Reply<A>>>;
}

/** A POST without a key that touches no stream, as everything but its own file knows it. */
export interface AnyOpen {
  readonly kind: 'open';
  readonly name: string;
  readonly path: string;
  readonly fields: Fields;
  readonly request: RequestClass;
  readonly uses: Uses;
  readonly answer: TObject;
  readonly errors: readonly Code[];
  readonly doc: Doc;
  readonly mustBeThere?: (uses: never) => void;
  readonly perform: (fields: never, uses: never) => Promise<object>;
}

export type Open<N extends string, F extends Fields, A extends TObject> = Omit<AnyOpen, 'answer' | 'fields'> & {
  readonly name: N;
  readonly fields: F;
  readonly answer: A;
};

/** Declares a POST without a key that touches no stream: the faucet of a development chain. */
export function open<const N extends string, const F extends Fields, A extends TObject, const U extends Uses = Uses>(
  name: N,
  spec: OpenSpec<F, U, A>,
): Open<N, F, A> {
  return {
    ...spec,
    kind: 'open',
    name,
    path: spec.path ?? `/api/${name}`,
    request: requestClass(name, spec.fields),
    uses: spec.uses ?? {},
    errors: spec.errors ?? [],
  };
}
