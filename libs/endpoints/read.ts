import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Fields, ValuesOf } from '#libs/validation/fields.js';
import { requestClass, type RequestClass } from '#libs/validation/request-class.js';
import type { Code } from '#libs/kernel/codes.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Position } from '#libs/kernel/event.js';
import type { Declared } from '#libs/platform/limits/limit.js';
import {
  type CompletedSigned,
  completeSigned,
  type Declaration,
  type Described,
  type Erased,
  type Instances,
  type Reply,
  type Signed,
  type Uses,
} from './declaration.js';
import type { Who } from './caller-rules.js';

/** The request and its answer, for reads that are answered in more than one form or with another status. */
export interface Http {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** An answer that is sent as it is: whoever makes it says its media type. */
export type Raw = string | Buffer | Readable;

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

interface CompletedRead {
  readonly kind: 'read';
  readonly params: Fields;
  readonly query: Fields;
  readonly request: RequestClass;
  readonly uses: Uses;
  readonly errors: readonly Code[];
  readonly bare: boolean;
  readonly live: boolean;
}

/** A GET as everything but its own file knows it. */
export type AnyRead = Declaration<
  string,
  Erased<ReadSpec<Fields, Fields, Uses, TObject, Reply<TObject>>>,
  CompletedRead
>;

export type Read<
  N extends string,
  P extends Fields,
  Q extends Fields,
  A extends TObject,
  U extends Uses = Uses,
  RP extends Reply<A> = Reply<A>,
> = Declaration<N, ReadSpec<P, Q, U, A, RP>, CompletedRead> & {
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

/** An answer with the last position of what it was read from. */
interface Positioned<RP> {
  readonly position: Position;
  readonly body: RP;
}

interface AskSpec<F extends Fields, U extends Uses, A extends TObject, RP extends Reply<A>> extends Signed<F, U, A> {
  readonly who: Exclude<Who, 'newKey' | 'anyone'>;
  readonly limits?: readonly Declared[];
  /** It is answered from the log and waits for no `min-position`. */
  readonly ofTheLog?: boolean;
  readonly find: (
    fields: ValuesOf<F>,
    context: CommandContext,
    uses: Instances<U>,
    http: Http,
  ) => Promise<Positioned<RP>>;
}

interface CompletedAsk extends CompletedSigned {
  readonly kind: 'ask';
  readonly errors: readonly Code[];
  readonly ofTheLog: boolean;
}

/** A question that a signed or bearer POST asks, as everything but its own file knows it. */
export type AnyAsk = Declaration<string, Erased<AskSpec<Fields, Uses, TObject, Reply<TObject>>>, CompletedAsk>;

export type Ask<
  N extends string,
  F extends Fields,
  A extends TObject,
  U extends Uses = Uses,
  RP extends Reply<A> = Reply<A>,
> = Declaration<N, AskSpec<F, U, A, RP>, CompletedAsk>;

/** Declares a question that only an identity may ask, as a POST that changes nothing. */
export function ask<
  const N extends string,
  const F extends Fields,
  A extends TObject,
  const U extends Uses = Uses,
  const RP extends Reply<A> = Reply<A>,
>(name: N, spec: AskSpec<F, U, A, RP>): Ask<N, F, A, U, RP> {
  const { errors = [], ofTheLog = false } = spec;
  return { ...spec, ...completeSigned(name, spec), kind: 'ask', name, errors, ofTheLog };
}

interface OpenSpec<F extends Fields, U extends Uses, A extends TObject> extends Described<U, A> {
  readonly path?: string;
  readonly fields: F;
  /** Throws where it is not there at all, before the fields are looked at. */
  readonly mustBeThere?: (uses: Instances<U>) => void;
  readonly perform: (fields: ValuesOf<F>, uses: Instances<U>) => Promise<NoInfer<Reply<A>>>;
}

interface CompletedOpen {
  readonly kind: 'open';
  readonly path: string;
  readonly request: RequestClass;
  readonly uses: Uses;
  readonly errors: readonly Code[];
}

/** A POST without a key that touches no stream, as everything but its own file knows it. */
export type AnyOpen = Declaration<string, Erased<OpenSpec<Fields, Uses, TObject>>, CompletedOpen>;

export type Open<N extends string, F extends Fields, A extends TObject, U extends Uses = Uses> = Declaration<
  N,
  OpenSpec<F, U, A>,
  CompletedOpen
>;

/** Declares a POST without a key that touches no stream: the faucet of a development chain. */
export function open<const N extends string, const F extends Fields, A extends TObject, const U extends Uses = Uses>(
  name: N,
  spec: OpenSpec<F, U, A>,
): Open<N, F, A, U> {
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
