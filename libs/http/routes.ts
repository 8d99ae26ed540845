import { applyDecorators, createParamDecorator, Get, HttpCode, Post, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { PaidRequest, Price } from '#libs/payments/purchase.js';
import type { Context } from '#libs/kernel/decide.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Description, OtherDescription, ReadDescription } from './description.js';
import { fieldsOf } from './fields.js';
import { requestSchema } from './json-schema.js';
import { type DtoClass, validate } from './validate.js';
import type { FastifyRequest } from 'fastify';

/** What makes an endpoint a paid one, and how directories of paid endpoints are told of it. */
export interface PaidEndpoint {
  /** Makes the query for what a request costs; it is answered by null where the request is free or its price private. */
  readonly price: (fields: RequestFields) => object;
  /** The price where it is fixed, USD with 6 places. */
  readonly usd?: string;
  /** A request's own fields and the answer to them. */
  readonly sample: { readonly request: JsonObject; readonly answer: JsonObject };
}

export interface WriteRoute {
  /** From the root, with a slash before it. */
  readonly path: string;
  /** The last word of the path, which is what a request signs. */
  readonly endpoint: string;
  /** The names of its own fields. */
  readonly fieldNames: readonly string[];
  /** Its own fields as JSON Schema (2020-12). */
  readonly schema: JsonObject;
  /** The fields that it knows, checked, and the names of the others. Throws a 400 that names the first bad field. */
  readonly check: (fields: RequestFields) => { readonly dto: object; readonly ignored: readonly string[] };
  /**
   * Who may call it: a `joined` muse, any `known` one, a `newKey` that signs for itself, or `anyone` without a
   * signature.
   */
  readonly caller: 'joined' | 'known' | 'newKey' | 'anyone';
  readonly paid?: PaidEndpoint;
  /** It changes nothing and is answered from the read models, so that it waits for a `min-position` as a GET does. */
  readonly isRead?: boolean;
  /** False where the answer holds a token: a repetition is carried out again from events instead of saved. */
  readonly saved?: boolean;
  readonly describe: Description;
}

/** A GET that is answered from the read models. */
export interface ReadRoute {
  readonly path: string;
  /** Others have fixed the shape of its answer, which therefore has no `ok`. */
  readonly bare?: boolean;
  readonly describe: ReadDescription;
}

/** A route of neither kind: nobody acts, and nothing is read that has a position. */
export interface OtherRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly describe: OtherDescription;
}

export interface RouteSettings {
  readonly write?: WriteRoute;
  readonly read?: ReadRoute;
  readonly other?: OtherRoute;
}

/** What the hooks have made of a request by the time its handler runs. */
export interface Act<T = object> {
  readonly dto: T;
  readonly context: Context;
  readonly paid: PaidRequest;
  readonly ignored: readonly string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    act?: Act;
  }
}

const writes: WriteRoute[] = [];
const reads: ReadRoute[] = [];
const others: OtherRoute[] = [];

/** Adds the routes of declarations to those that are described. */
export function addRoutes({ write, read, other }: RouteSettings): void {
  if (write) writes.push(write);
  if (read) reads.push(read);
  if (other) others.push(other);
}

/** Every write that has been declared so far. */
export const writeRoutes = (): readonly WriteRoute[] => writes;
/** Every read that has been declared so far. */
export const readRoutes = (): readonly ReadRoute[] => reads;
/** Every other route that has been declared so far. */
export const otherRoutes = (): readonly OtherRoute[] => others;

/** A POST that may change something: `@Write('api/apply', { dto: ApplyDto, caller: 'joined', describe: APPLY })`. */
export function Write(
  path: string,
  { dto, ...route }: Omit<WriteRoute, 'endpoint' | 'path' | 'fieldNames' | 'schema' | 'check'> & { dto: DtoClass },
): MethodDecorator {
  const write: WriteRoute = {
    ...route,
    path: `/${path}`,
    endpoint: path.split('/').at(-1)!,
    fieldNames: fieldsOf(dto).map(({ name }) => name),
    schema: requestSchema(dto),
    check: fields => validate(dto, fields),
  };
  writes.push(write);
  return applyDecorators(Post(path), HttpCode(200), RouteConfig({ write } satisfies RouteSettings));
}

/** A GET that is answered from the read models: `@Read('api/roles', { describe: ROLES })`. */
export function Read(path: string, route: Omit<ReadRoute, 'path'>): MethodDecorator {
  const read: ReadRoute = { ...route, path: `/${path}` };
  reads.push(read);
  return applyDecorators(Get(path), RouteConfig({ read } satisfies RouteSettings));
}

/** Any other route: `@Other('GET', 'api/health', HEALTH)`. */
export function Other(method: 'GET' | 'POST', path: string, describe: OtherDescription): MethodDecorator {
  const other: OtherRoute = { method, path: `/${path}`, describe };
  others.push(other);
  const verbs = method === 'GET' ? [Get(path)] : [Post(path), HttpCode(200)];
  return applyDecorators(...verbs, RouteConfig({ other } satisfies RouteSettings));
}

/** The request as the hooks understood it. */
export const Acting = createParamDecorator((_data: unknown, context: ExecutionContext): Act => {
  const { act } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!act) throw new Error('A route with @Acting() must be declared with @Write().');
  return act;
});

export type { Price };
