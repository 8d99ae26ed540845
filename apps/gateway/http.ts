import { NestFactory } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController } from 'fastify';
import { Claims } from '#libs/claims/claims.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { IdentitySettings } from '#libs/features/identity/identity.settings.js';
import { DriftSettings } from '#libs/features/records/drift-checker.js';
import { Actors } from '#libs/http/authentication/actors.js';
import { BearerTokens, TokenMint } from '#libs/http/authentication/bearer.js';
import { SignedRequests } from '#libs/http/authentication/signed.js';
import { BODY_BYTES_MAX } from '#libs/http/body.js';
import { addCodes } from '#libs/http/codes.js';
import { FailureFilter } from '#libs/http/failure.filter.js';
import { addHooks } from '#libs/http/hooks.js';
import { Coordinations, DevChains, DocumentStores, EventLogs, Vaults } from '#libs/http/infrastructure.js';
import { Pipeline } from '#libs/http/pipeline.js';
import { Routing } from '#libs/http/routing.js';
import { RunningRequests } from '#libs/http/running/running.js';
import { PATH_VALUE_CHARACTERS_MAX, refuseUnread, refuseUnrouted } from '#libs/http/unrouted.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { Integers } from '#libs/kernel/ids.js';
import { PAYMENT_CODES } from '#libs/payments/codes.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { Payments } from '#libs/payments/payments.js';
import { PaymentsHealth } from '#libs/payments/payments.health.js';
import { ApiDescription } from '#libs/openapi/api-description.js';
import { SafeFetch } from '#libs/safe-fetch/safe-fetch.js';
import type { Core } from './core.js';
import { GatewayModule, type Parts } from './gateway.module.js';
import { offerTo } from './offers.js';

/** The Nest application over the core, ready to listen. */
export async function openHttp(core: Core): Promise<NestFastifyApplication> {
  addCodes(PAYMENT_CODES);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    loggerInstance: core.log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // No middleware: each request would run through it.
    skipMiddie: true,
    routerOptions: { maxParamLength: PATH_VALUE_CHARACTERS_MAX },
    frameworkErrors: refuseUnrouted,
    clientErrorHandler: refuseUnread,
  });
  const options = { logger: ['error', 'warn'], bodyParser: false } as const;
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.with(partsOf(core)), adapter, {
    ...options,
    logger: [...options.logger],
  });
  const routing = new Routing();
  const fastify = adapter.getInstance();
  routing.watch(fastify);
  await addHooks(fastify, { pipeline: pipelineOf(core, app.get(QueryBus)), models: core.models });
  app.useGlobalFilters(new FailureFilter(routing));
  await app.init();
  await fastify.ready();
  return app;
}

function pipelineOf({ stores, clock, models, payments, settings }: Core, queries: QueryBus): Pipeline {
  const actors = new Actors(stores.journal);
  return new Pipeline({
    signed: new SignedRequests(actors, clock, settings.messageTag),
    bearer: new BearerTokens(actors, models, clock),
    running: new RunningRequests(stores.coordination, clock),
    clock,
    integers: stores.integers,
    offer: offerTo(queries, payments),
    paidFor: thing => payments.paidFor(thing),
  });
}

/** What features are given, each under its class. */
function partsOf({ settings, stores, chains, claims, clock, models, payments, issuer, address }: Core): Parts {
  return [
    [Clock, clock],
    [Journal, stores.journal],
    [Codec, stores.codec],
    [Integers, stores.integers],
    [Claims, claims],
    [ReadModels, models],
    [EventLogs, new EventLogs(stores.log)],
    [DocumentStores, new DocumentStores(stores.documents)],
    [Vaults, new Vaults(stores.vault)],
    [Coordinations, new Coordinations(stores.coordination)],
    [DriftSettings, new DriftSettings(settings.driftCheckSeconds * SECOND_MS)],
    [DevChains, new DevChains(chains.dev)],
    [TokenMint, new TokenMint(stores.tokenSecret, settings.tokenPrefix)],
    [IdentitySettings, new IdentitySettings(settings.mailDomain)],
    [PaymentSettings, chains.settings],
    [Payments, payments],
    [PaymentsHealth, new PaymentsHealth(chains.chains, models, clock)],
    [SafeFetch, new SafeFetch({ allow: settings.fetchAllow, clock })],
    [Issuer, issuer],
    [ApiDescription, new ApiDescription(address, settings.messageTag)],
  ];
}
