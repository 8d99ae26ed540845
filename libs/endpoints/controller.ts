import { Controller, Get, HttpCode, Post, Req, Res, type Type } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig, RouteConstraints } from '@nestjs/platform-fastify';
import type { RouteSettings } from '#libs/http/routes.js';
import type { HttpExchange } from './query.js';

export interface Buses {
  readonly commands: CommandBus;
  readonly queries: QueryBus;
}

export interface Endpoint {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly settings: RouteSettings;
  readonly handle: (buses: Buses, http: HttpExchange) => Promise<unknown>;
  /** Sends the result through Fastify directly, for text and streams. */
  readonly isSent: boolean;
  readonly constraints?: { readonly [name: string]: string };
}

export function createController(feature: string, endpoints: readonly Endpoint[]): Type<unknown> {
  class FeatureController {
    constructor(
      readonly commands: CommandBus,
      readonly queries: QueryBus,
    ) {}
  }
  Object.defineProperty(FeatureController, 'name', { value: `${feature}.controller` });
  Reflect.defineMetadata('design:paramtypes', [CommandBus, QueryBus], FeatureController);
  for (const endpoint of endpoints) addMethod(FeatureController, endpoint);
  Controller()(FeatureController);
  return FeatureController;
}

function addMethod(controller: Type<unknown>, endpoint: Endpoint): void {
  const { name, method, path, settings, handle, isSent, constraints } = endpoint;
  const prototype = controller.prototype as { [name: string]: unknown };
  prototype[name] = async function (this: Buses, request: HttpExchange['request'], reply: HttpExchange['reply']) {
    const answer = await handle(this, { request, reply });
    return isSent ? reply.send(answer) : answer;
  };
  Req()(prototype, name, 0);
  Res({ passthrough: !isSent })(prototype, name, 1);
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!;
  const decorators = [method === 'GET' ? Get(path) : Post(path), HttpCode(200), RouteConfig(settings)];
  if (constraints) decorators.push(RouteConstraints(constraints));
  for (const decorate of decorators) decorate(prototype, name, descriptor);
}
