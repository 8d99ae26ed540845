import type { RequestListener } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController } from 'fastify';
import { mountA2a } from '#libs/channels/a2a/mount.js';
import { TaskNames } from '#libs/channels/a2a/task-names.js';
import { recordOwnerRequest } from '#libs/features/identity/ask-owner.js';
import { ServiceCommands } from '#libs/endpoints/service-commands.js';
import { ViewCounter } from '#libs/features/identity/view-counter.js';
import { Authentication } from '#libs/http/authentication/authentication.js';
import { BearerTokens } from '#libs/http/authentication/bearer-tokens.js';
import { SignedRequests } from '#libs/http/authentication/signed-requests.js';
import { BODY_BYTES_MAX } from '#libs/http/json-body.js';
import { REQUEST_TIMEOUTS, Connections, CONNECTIONS_MAX, KEEP_ALIVE_MS } from '#libs/http/connections.js';
import { FailureFilter } from '#libs/http/send-failure.js';
import { addHooks } from '#libs/http/hooks.js';
import { RequestMeter } from '#libs/http/request-meter.js';
import { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import { RequestRateLimiter } from '#libs/http/limiting/request-rate-limiter.js';
import type { ReadParameters } from '#libs/http/paging.js';
import { PAGE_CONSTRAINTS } from '#libs/http/accept.js';
import { MusePrincipals } from '#libs/endpoints/muse-principals.js';
import { CommandPayments } from '#libs/endpoints/command-payments.js';
import { WritePipeline } from '#libs/http/write-pipeline.js';
import { RequestLocks } from '#libs/http/request-locks.js';
import { RouteIndex } from '#libs/http/route-index.js';
import { PATH_VALUE_CHARACTERS_MAX, refuseUnparsed, refuseUnrouted } from '#libs/http/raw-failures.js';
import { isBeyondEnd } from '#libs/event-log/require-position.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { mountMcp } from '#libs/channels/mcp/mount.js';
import { NAVIGATION } from '#libs/channels/pages/pages.module.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { RequestPrivacy } from '#libs/features/public-events/views/public-events.js';
import { Assets } from '#libs/channels/pages/shell/assets.js';
import type { Shell } from '#libs/channels/pages/shell/layout.js';
import { BrowserSettings } from '#libs/channels/pages/shell/browser-settings.js';
import { createHtmlPresenter } from '#libs/channels/pages/shell/failure-page.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import type { Core } from '#libs/service/core.js';
import { FrameworkLog } from '#libs/service/framework-log.js';
import { createProviders } from '#libs/service/providers.js';
import { ROUTES } from '#libs/service/routes.js';
import { ServiceModule } from '#libs/service/service.module.js';

/** Time for running requests after the stop signal. */
const REQUESTS_DRAIN_MS = 10 * SECOND_MS;

const HEALTH_CHECKS = new Set(['/api/health', '/api/health/live']);

export interface HttpApplication {
  readonly app: NestFastifyApplication;
  /** Stops accepting requests and lets running ones finish; after 10 s their connections are cut. */
  readonly close: () => Promise<void>;
}

export async function openHttpApplication(core: Core): Promise<HttpApplication> {
  const connections = new Connections(CONNECTIONS_MAX, core.settings.trustProxy > 0, url => HEALTH_CHECKS.has(url));
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: (_address, hop) => hop < core.settings.trustProxy,
    loggerInstance: core.log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    serverFactory: (handle: RequestListener) =>
      connections.serve({ ...REQUEST_TIMEOUTS, keepAliveTimeout: KEEP_ALIVE_MS }, handle),
    // Without middleware, requests need not pass through it.
    skipMiddie: true,
    routerOptions: { maxParamLength: PATH_VALUE_CHARACTERS_MAX, constraints: PAGE_CONSTRAINTS },
    frameworkErrors: refuseUnrouted,
    clientErrorHandler: refuseUnparsed,
  });
  const app = await NestFactory.create<NestFastifyApplication>(ServiceModule.with(createProviders(core)), adapter, {
    logger: new FrameworkLog(core.log),
    bodyParser: false,
    abortOnError: false,
  });
  const routing = new RouteIndex();
  const fastify = adapter.getInstance();
  routing.watch(fastify);
  core.metrics?.requests.observe(fastify);
  const { log, metrics, models, opening, address } = core;
  const views = app.get(ViewCounter, { strict: false });
  const limiting = core.limits.table.isEnforced ? new RequestRateLimiter(core.limits) : null;
  const countRead = ({ id }: ReadParameters) => {
    if (typeof id === 'string' && MUSE_ID.test(id)) views.count(id);
  };
  const pipeline = createPipeline(core, app.get(QueryBus));
  const commands = app.get(ServiceCommands, { strict: false });
  fastify.decorate('recordOwnerRequest', request => recordOwnerRequest(commands, request));
  await addHooks(fastify, {
    pipeline,
    models,
    clock: core.clock,
    callers: core.limits.callers,
    routing,
    limiting,
    outages: OutageTracker.of(log),
    countOutage: metrics?.requests.countOutage,
    startupGate: opening,
    address,
    htmlPresenter: createHtmlPresenter(createShell(app, address)),
    meter: app.get(RequestMeter, { strict: false }),
    countRead,
    isBeyondEnd: position => isBeyondEnd(core.stores.log, position),
    isAlone: core.isAlone,
  });
  mountMcp(fastify, ROUTES, limiting);
  const [names, safeFetch] = [app.get(TaskNames, { strict: false }), app.get(SafeFetch, { strict: false })];
  await mountA2a(fastify, { names, address, safeFetch, stop: core.stopping }, limiting);
  app.useGlobalFilters(new FailureFilter(routing));
  await app.init();
  await fastify.ready();
  return { app, close: () => closeHttpApplication(app, connections) };
}

/** The base URL is a getter because it is known only once a port is taken. */
function createShell(app: NestFastifyApplication, address: Core['address']): Shell {
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

/** Running requests may still call other routes, so the routes are closed last. */
async function closeHttpApplication(app: NestFastifyApplication, connections: Connections): Promise<void> {
  const { server } = app.getHttpAdapter().getInstance();
  const timer = setTimeout(() => server.closeAllConnections(), REQUESTS_DRAIN_MS);
  await connections.end(server);
  await app.close();
  clearTimeout(timer);
}

function createPipeline(
  { stores, clock, models, payments, settings, address, siblings }: Core,
  queries: QueryBus,
): WritePipeline {
  const principals = new MusePrincipals(stores.journal, models);
  return new WritePipeline({
    authentication: new Authentication(
      new SignedRequests(principals, siblings, clock, settings.messageTag),
      new BearerTokens(principals, siblings, clock),
    ),
    locks: new RequestLocks(stores.coordination, clock, stores.answerSecret),
    clock,
    integers: stores.integers,
    address,
    paidRequests: new CommandPayments(queries, payments),
    holds: position => stores.log.holds(position),
    privateFields: new RequestPrivacy(stores.codec.types).fields,
  });
}
