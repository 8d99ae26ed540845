import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { FieldDeclarations, FieldValues } from '#libs/validation/request-fields.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { Position } from '#libs/kernel/event.js';
import type { LimitDeclaration } from '#libs/platform/limits/limit.js';
import {
  type CompletedAuthenticatedSpec,
  type CompletedSpec,
  completeAuthenticatedSpec,
  completeSpec,
  type Declaration,
  type EndpointSpec,
  type TypeErased,
  type ResolvedDependencies,
  type ReplyBody,
  type AuthenticatedSpec,
  type Dependencies,
} from './endpoint-declaration.js';
import type { CallerKind } from './caller-rules.js';

export interface HttpExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Sent unchanged. `find` sets the media type. */
export type RawAnswer = string | Buffer | Readable;

interface QuerySpec<
  P extends FieldDeclarations,
  Q extends FieldDeclarations,
  U extends Dependencies,
  A extends TObject,
  RP extends ReplyBody<A>,
> extends EndpointSpec<U, A> {
  /** Absolute path; parameters begin with a colon. */
  readonly path: string;
  /** Path parameters, which are looked up but not checked. */
  readonly params?: P;
  /** A rule of the read refuses a missing required parameter. */
  readonly query?: Q;
  /** Parameter that a bearer token fills with its owner. No cache keeps the answer. */
  readonly callerParameter?: string;
  /** An external standard fixes the response, so it has no `ok`. */
  readonly bare?: boolean;
  readonly media?: string;
  /** Numeric member that counts reads. Left out of the etag. */
  readonly counter?: string;
  /** Maximum number of events in the response; determines limit points and memory. */
  readonly eventsMax?: (request: FastifyRequest) => number;
  /** Shows the state of the process: no position, and it sets `ok` itself. */
  readonly live?: boolean;
  readonly find: (
    fields: FieldValues<P & Q>,
    uses: ResolvedDependencies<U>,
    http: HttpExchange,
  ) => Promise<RP | RawAnswer> | RP | RawAnswer;
}

interface CompletedQuery extends CompletedSpec {
  readonly kind: 'query';
  readonly params: FieldDeclarations;
  readonly query: FieldDeclarations;
  readonly bare: boolean;
  readonly live: boolean;
}

export type AnyQuery = Declaration<
  string,
  TypeErased<QuerySpec<FieldDeclarations, FieldDeclarations, Dependencies, TObject, ReplyBody<TObject>>>,
  CompletedQuery
>;

export function defineQuery<
  const N extends string,
  A extends TObject,
  const P extends FieldDeclarations = Record<never, never>,
  const Q extends FieldDeclarations = Record<never, never>,
  const U extends Dependencies = Dependencies,
  const RP extends ReplyBody<A> = ReplyBody<A>,
>(name: N, spec: QuerySpec<P, Q, U, A, RP>): Declaration<N, QuerySpec<P, Q, U, A, RP>, CompletedQuery> {
  const { params = {}, query = {}, bare = false, live = false } = spec;
  return { ...spec, ...completeSpec(name, spec, query), kind: 'query', name, params, query, bare, live };
}

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
  readonly who?: Exclude<CallerKind, 'newKey' | 'recoveryKey' | 'anyone'>;
  readonly limits?: readonly LimitDeclaration[];
  /** Whether a GET with a bearer token, with the fields as its query, runs the same query. */
  readonly byGet?: boolean;
  /** Reads the log, so it ignores `min-position`. */
  readonly readsLog?: boolean;
  readonly find: (
    fields: FieldValues<F>,
    context: CommandContext,
    uses: ResolvedDependencies<U>,
    http: HttpExchange,
  ) => Promise<PositionedAnswer<RP>>;
}

interface CompletedPrivateQuery extends CompletedAuthenticatedSpec {
  readonly kind: 'privateQuery';
  readonly readsLog: boolean;
}

export type AnyPrivateQuery = Declaration<
  string,
  TypeErased<PrivateQuerySpec<FieldDeclarations, Dependencies, TObject, ReplyBody<TObject>>>,
  CompletedPrivateQuery
>;

export function definePrivateQuery<
  const N extends string,
  const F extends FieldDeclarations,
  A extends TObject,
  const U extends Dependencies = Dependencies,
  const RP extends ReplyBody<A> = ReplyBody<A>,
>(name: N, spec: PrivateQuerySpec<F, U, A, RP>): Declaration<N, PrivateQuerySpec<F, U, A, RP>, CompletedPrivateQuery> {
  return {
    ...spec,
    ...completeAuthenticatedSpec(name, spec),
    kind: 'privateQuery',
    name,
    readsLog: spec.readsLog ?? false,
  };
}

interface OpenActionSpec<F extends FieldDeclarations, U extends Dependencies, A extends TObject> extends EndpointSpec<
  U,
  A
> {
  readonly fields: F;
  /** Throws if this service does not offer the endpoint. Runs before the field checks. */
  readonly assertAvailable?: (uses: ResolvedDependencies<U>) => void;
  readonly perform: (fields: FieldValues<F>, uses: ResolvedDependencies<U>) => Promise<NoInfer<ReplyBody<A>>>;
}

interface CompletedOpenAction extends CompletedSpec {
  readonly kind: 'openAction';
}

export type AnyOpenAction = Declaration<
  string,
  TypeErased<OpenActionSpec<FieldDeclarations, Dependencies, TObject>>,
  CompletedOpenAction
>;

/** Declares an unsigned POST that touches no stream, such as the faucet of a development chain. */
export function defineOpenAction<
  const N extends string,
  const F extends FieldDeclarations,
  A extends TObject,
  const U extends Dependencies = Dependencies,
>(name: N, spec: OpenActionSpec<F, U, A>): Declaration<N, OpenActionSpec<F, U, A>, CompletedOpenAction> {
  return { ...spec, ...completeSpec(name, spec, spec.fields), kind: 'openAction', name };
}
