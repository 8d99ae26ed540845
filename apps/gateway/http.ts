import type { RequestListener } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController } from 'fastify';
import { mountA2a } from '#libs/channels/a2a/mount.js';
import { TaskNames } from '#libs/channels/a2a/task-names.js';
import { ViewCounter } from '#libs/features/profile/view-counter.js';
import { Authentication } from '#libs/http/authentication/authentication.js';
import { BearerTokens } from '#libs/http/authentication/bearer.js';
import { SignedRequests } from '#libs/http/authentication/signed.js';
import { BODY_BYTES_MAX } from '#libs/http/body.js';
import { ARRIVAL, Connections, CONNECTIONS_MAX, KEPT_ALIVE_MS } from '#libs/http/connections.js';
import { FailureFilter } from '#libs/http/failure.filter.js';
import { addHooks } from '#libs/http/hooks.js';
import { RequestOutages } from '#libs/http/request-outages.js';
import { Outages } from '#libs/platform/outages/outages.js';
import { Limiting } from '#libs/http/limiting/limiting.js';
import type { ReadParameters } from '#libs/http/paging.js';
import { PAGE_CONSTRAINTS } from '#libs/http/page-constraint.js';
import { MusePrincipals } from '#libs/endpoints/muse-principals.js';
import { VerbPayments } from '#libs/endpoints/paid-requests.js';
import { Pipeline } from '#libs/http/pipeline.js';
import { RequestLocks } from '#libs/http/request-locks.js';
import { Routing } from '#libs/http/routing.js';
import { PATH_VALUE_CHARACTERS_MAX, refuseUnread, refuseUnrouted } from '#libs/http/unrouted.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { mountMcp } from '#libs/channels/mcp/mount.js';
import { NAVIGATION } from '#libs/channels/pages/pages.module.js';
import { Assets } from '#libs/channels/pages/shell/assets.js';
import type { Shell } from '#libs/channels/pages/shell/answering.js';
import { BrowserSettings } from '#libs/channels/pages/shell/browser-settings.js';
import { forPeople } from '#libs/channels/pages/shell/failure-page.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import type { Core } from '#libs/service/core.js';
import { FrameworkLog } from '#libs/service/framework-log.js';
import { providersOf } from '#libs/service/providers.js';
import { ROUTES } from '#libs/service/routes.js';
import { ServiceModule } from '#libs/service/service.module.js';

/** How long requests under way may take once the process was told to stop. */
const REQUESTS_MS = 10 * SECOND_MS;

export interface Http {
  readonly app: NestFastifyApplication;
  /** Takes no more requests, and lets those under way end; after 10 s their connections are cut. */
  readonly close: () => Promise<void>;
}

/** The Nest application over the core, ready to listen. */
export async function openHttp(core: Core): Promise<Http> {
  const connections = new Connections(CONNECTIONS_MAX, core.settings.trustProxy > 0);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: (_address, hop) => hop < core.settings.trustProxy,
    loggerInstance: core.log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    serverFactory: (handle: RequestListener) =>
      connections.serve({ ...ARRIVAL, keepAliveTimeout: KEPT_ALIVE_MS }, handle),
    // No middleware: each request would run through it.
    skipMiddie: true,
    routerOptions: { maxParamLength: PATH_VALUE_CHARACTERS_MAX, constraints: PAGE_CONSTRAINTS },
    frameworkErrors: refuseUnrouted,
    clientErrorHandler: refuseUnread,
  });
  const app = await NestFactory.create<NestFastifyApplication>(ServiceModule.with(providersOf(core)), adapter, {
    logger: new FrameworkLog(core.log),
    bodyParser: false,
    abortOnError: false,
  });
  const routing = new Routing();
  const fastify = adapter.getInstance();
  routing.watch(fastify);
  core.metrics?.requests.watch(fastify);
  const { log, metrics, models, opening, address } = core;
  const views = app.get(ViewCounter, { strict: false });
  const outages = new RequestOutages(Outages.of(log), metrics?.requests.outage);
  const limiting = core.limits.table.isEnforced ? new Limiting(core.limits) : null;
  const counted = ({ id }: ReadParameters) => views.count(String(id));
  const pipeline = pipelineOf(core, app.get(QueryBus));
  await addHooks(fastify, {
    pipeline,
    models,
    clock: core.clock,
    callers: core.limits.callers,
    routing,
    limiting,
    outages,
    opening,
    address,
    forPeople: forPeople(shellOf(app, address)),
    counted,
  });
  mountMcp(fastify, ROUTES, limiting);
  const [names, safeFetch] = [app.get(TaskNames, { strict: false }), app.get(SafeFetch, { strict: false })];
  await mountA2a(fastify, { names, address, safeFetch, stop: core.stopping }, limiting);
  app.useGlobalFilters(new FailureFilter(routing));
  await app.init();
  await fastify.ready();
  return { app, close: () => closeHttp(app, connections) };
}

/** What is around every page. The address is known once a port was taken. */
function shellOf(app: NestFastifyApplication, address: Core['address']): Shell {
  const [assets, settings] = [app.get(Assets, { strict: false }), app.get(BrowserSettings, { strict: false })];
  return {
    assets,
    settings,
    navigation: NAVIGATION,
    get baseUrl() {
      return address.baseUrl;
    },
  };
}

/** Requests under way may still ask other routes, so the routes are closed last. */
async function closeHttp(app: NestFastifyApplication, connections: Connections): Promise<void> {
  const { server } = app.getHttpAdapter().getInstance();
  const timer = setTimeout(() => server.closeAllConnections(), REQUESTS_MS);
  await connections.end(server);
  await app.close();
  clearTimeout(timer);
}

function pipelineOf(
  { stores, clock, models, payments, settings, address, siblings }: Core,
  queries: QueryBus,
): Pipeline {
  const principals = new MusePrincipals(stores.journal, models);
  return new Pipeline({
    authentication: new Authentication(
      new SignedRequests(principals, siblings, clock, settings.messageTag),
      new BearerTokens(principals, siblings, models, clock),
    ),
    locks: new RequestLocks(stores.coordination, clock, stores.answerSecret),
    clock,
    integers: stores.integers,
    address,
    paidRequests: new VerbPayments(queries, payments),
    holds: position => stores.log.holds(position),
  });
}
