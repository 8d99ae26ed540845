import { applyDecorators, createParamDecorator, Get, HttpCode, Post, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { PaidRequest, Price } from '#libs/payments/purchase.js';
import type { Context } from '#libs/kernel/decide.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { DtoClass } from './validate.js';
import type { FastifyRequest } from 'fastify';

/** A request for an offer, answered by what a paid endpoint costs; `null` where the request is free. */
export type PriceQuery = (fields: RequestFields) => object;

export interface WriteRoute {
  /** The last word of the path, which is what a request signs. */
  readonly endpoint: string;
  readonly dto: DtoClass;
  /**
   * Who may call it: a `joined` muse, any `known` one, a `newKey` that signs for itself, or `anyone` without a
   * signature.
   */
  readonly caller: 'joined' | 'known' | 'newKey' | 'anyone';
  /** Makes the query for the price that an unsigned request is told; its presence makes the endpoint a paid one. */
  readonly price?: PriceQuery;
  /** False where the answer holds a token: a repetition is carried out again from events instead of saved. */
  readonly saved?: boolean;
}

export interface RouteSettings {
  readonly write?: WriteRoute;
  readonly read?: boolean;
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

/** A POST that may change something: `@Write('apply', { dto: ApplyDto, caller: 'joined' })`. */
export function Write(path: string, route: Omit<WriteRoute, 'endpoint'>): MethodDecorator {
  const endpoint = path.split('/').at(-1)!;
  return applyDecorators(
    Post(path),
    HttpCode(200),
    RouteConfig({ write: { ...route, endpoint } } satisfies RouteSettings),
  );
}

/** A GET that is answered from the read models. */
export function Read(path: string): MethodDecorator {
  return applyDecorators(Get(path), RouteConfig({ read: true } satisfies RouteSettings));
}

/** The request as the hooks understood it. */
export const Acting = createParamDecorator((_data: unknown, context: ExecutionContext): Act => {
  const { act } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!act) throw new Error('A route with @Acting() must be declared with @Write().');
  return act;
});

export type { Price };
