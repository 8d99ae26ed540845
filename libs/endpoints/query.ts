import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { FieldDeclarations, FieldValues } from '#libs/validation/request-fields.js';
import { requestClass, type RequestClass } from '#libs/validation/request-class.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Position } from '#libs/kernel/event.js';
import type { LimitDeclaration } from '#libs/platform/limits/limit.js';
import {
  type CompletedAuthenticatedSpec,
  completeAuthenticatedSpec,
  type Declaration,
  type EndpointSpec,
  type TypeErased,
  type ResolvedDependencies,
  type ReplyBody,
  type AuthenticatedSpec,
  type Dependencies,
} from './endpoint-declaration.js';
import type { CallerKind } from './caller-rules.js';

/** The request and its answer, for reads that are answered in more than one form or with another status. */
export interface HttpExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** An answer that is sent as it is: whoever makes it says its media type. */
export type RawAnswer = string | Buffer | Readable;

interface QuerySpec<
  P extends FieldDeclarations,
  Q extends FieldDeclarations,
  U extends Dependencies,
  A extends TObject,
  RP extends ReplyBody<A>,
> extends EndpointSpec<U, A> {
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
  readonly find: (
    fields: FieldValues<P & Q>,
    uses: ResolvedDependencies<U>,
    http: HttpExchange,
  ) => Promise<RP | RawAnswer> | RP | RawAnswer;
}

interface CompletedQuery {
  readonly kind: 'read';
  readonly params: FieldDeclarations;
  readonly query: FieldDeclarations;
  readonly request: RequestClass;
  readonly uses: Dependencies;
  readonly errors: readonly ServiceErrorCode[];
  readonly bare: boolean;
  readonly live: boolean;
}

/** A GET as everything but its own file knows it. */
export type AnyQuery = Declaration<
  string,
  TypeErased<QuerySpec<FieldDeclarations, FieldDeclarations, Dependencies, TObject, ReplyBody<TObject>>>,
  CompletedQuery
>;

export type QueryDeclaration<
  N extends string,
  P extends FieldDeclarations,
  Q extends FieldDeclarations,
  A extends TObject,
  U extends Dependencies = Dependencies,
  RP extends ReplyBody<A> = ReplyBody<A>,
> = Declaration<N, QuerySpec<P, Q, U, A, RP>, CompletedQuery> & {
  /** Carries the types of what it asks for; never read. */
  readonly asks?: FieldValues<P & Q>;
};

/** Declares a GET. Its route, its query and handler, its entry in the API description and the client's method follow. */
export function defineQuery<
  const N extends string,
  A extends TObject,
  const P extends FieldDeclarations = Record<never, never>,
  const Q extends FieldDeclarations = Record<never, never>,
  const U extends Dependencies = Dependencies,
  const RP extends ReplyBody<A> = ReplyBody<A>,
>(name: N, spec: QuerySpec<P, Q, U, A, RP>): QueryDeclaration<N, P, Q, A, U, RP> {
  const query: FieldDeclarations = spec.query ?? {};
  const completed: CompletedQuery = {
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
interface PositionedAnswer<RP> {
  readonly position: Position;
  readonly body: RP;
}

interface PrivateQuerySpec<
  F extends FieldDeclarations,
  U extends Dependencies,
  A extends TObject,
  RP extends ReplyBody<A>,
> extends AuthenticatedSpec<F, U, A> {
  readonly who: Exclude<CallerKind, 'newKey' | 'anyone'>;
  readonly limits?: readonly LimitDeclaration[];
  /** It is answered from the log and waits for no `min-position`. */
  readonly ofTheLog?: boolean;
  readonly find: (
    fields: FieldValues<F>,
    context: CommandContext,
    uses: ResolvedDependencies<U>,
    http: HttpExchange,
  ) => Promise<PositionedAnswer<RP>>;
}

interface CompletedPrivateQuery extends CompletedAuthenticatedSpec {
  readonly kind: 'ask';
  readonly errors: readonly ServiceErrorCode[];
  readonly ofTheLog: boolean;
}

/** A question that a signed or bearer POST asks, as everything but its own file knows it. */
export type AnyPrivateQuery = Declaration<
  string,
  TypeErased<PrivateQuerySpec<FieldDeclarations, Dependencies, TObject, ReplyBody<TObject>>>,
  CompletedPrivateQuery
>;

export type PrivateQueryDeclaration<
  N extends string,
  F extends FieldDeclarations,
  A extends TObject,
  U extends Dependencies = Dependencies,
  RP extends ReplyBody<A> = ReplyBody<A>,
> = Declaration<N, PrivateQuerySpec<F, U, A, RP>, CompletedPrivateQuery>;

/** Declares a question that only an identity may ask, as a POST that changes nothing. */
export function definePrivateQuery<
  const N extends string,
  const F extends FieldDeclarations,
  A extends TObject,
  const U extends Dependencies = Dependencies,
  const RP extends ReplyBody<A> = ReplyBody<A>,
>(name: N, spec: PrivateQuerySpec<F, U, A, RP>): PrivateQueryDeclaration<N, F, A, U, RP> {
  const { errors = [], ofTheLog = false } = spec;
  return { ...spec, ...completeAuthenticatedSpec(name, spec), kind: 'ask', name, errors, ofTheLog };
}

interface OpenActionSpec<F extends FieldDeclarations, U extends Dependencies, A extends TObject> extends EndpointSpec<
  U,
  A
> {
  readonly path?: string;
  readonly fields: F;
  /** Throws where it is not there at all, before the fields are looked at. */
  readonly mustBeThere?: (uses: ResolvedDependencies<U>) => void;
  readonly perform: (fields: FieldValues<F>, uses: ResolvedDependencies<U>) => Promise<NoInfer<ReplyBody<A>>>;
}

interface CompletedOpenAction {
  readonly kind: 'open';
  readonly path: string;
  readonly request: RequestClass;
  readonly uses: Dependencies;
  readonly errors: readonly ServiceErrorCode[];
}

/** A POST without a key that touches no stream, as everything but its own file knows it. */
export type AnyOpenAction = Declaration<
  string,
  TypeErased<OpenActionSpec<FieldDeclarations, Dependencies, TObject>>,
  CompletedOpenAction
>;

export type OpenActionDeclaration<
  N extends string,
  F extends FieldDeclarations,
  A extends TObject,
  U extends Dependencies = Dependencies,
> = Declaration<N, OpenActionSpec<F, U, A>, CompletedOpenAction>;

/** Declares a POST without a key that touches no stream: the faucet of a development chain. */
export function defineOpenAction<
  const N extends string,
  const F extends FieldDeclarations,
  A extends TObject,
  const U extends Dependencies = Dependencies,
>(name: N, spec: OpenActionSpec<F, U, A>): OpenActionDeclaration<N, F, A, U> {
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
