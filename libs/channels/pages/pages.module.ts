import type { DynamicModule } from '@nestjs/common';
import type { QueryBus } from '@nestjs/cqrs';
import { Type } from 'typebox';
import { StatusHistory } from '#libs/features/stats/status-history.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { isSharedPath, WANTS_PAGE } from '#libs/http/accept.js';
import type { ReadRoute } from '#libs/http/routes.js';
import { Clock } from '#libs/kernel/clock.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { EscrowRails } from '#libs/payments/escrow-rails.js';
import { EventSource } from '#libs/features/events-feed/event-source.js';
import { createController, type Endpoint } from '#libs/endpoints/controller.js';
import { createQueryHandler } from '#libs/endpoints/handlers.js';
import type { HttpExchange } from '#libs/endpoints/query.js';
import { PAGE_SCRIPTS, PAGES } from './pages.js';
import { renderPage, FixedPages } from './shell/page-renderer.js';
import { assetEndpoints, Assets } from './shell/assets.js';
import { BrowserSettings } from './shell/browser-settings.js';
import { type AnyPage, traitsOf } from './shell/page.js';

interface RenderQuery {
  readonly page: AnyPage;
  readonly queries: QueryBus;
  readonly http: HttpExchange;
}

export const NAVIGATION = PAGES.filter(({ nav }) => nav !== undefined);

const PAGE_DEPENDENCIES = {
  models: ReadModels,
  clock: Clock,
  assets: Assets,
  address: ServiceAddress,
  settings: BrowserSettings,
  api: ApiDescription,
  fixed: FixedPages,
  history: StatusHistory,
  log: EventSource,
  escrows: EscrowRails,
};

const { query, provider } = createQueryHandler('page', PAGE_DEPENDENCIES, (request: RenderQuery, uses) => {
  const { assets, address, settings, ...sources } = uses;
  const shell = { assets, baseUrl: address.url, settings, navigation: NAVIGATION };
  return renderPage(request.page, { shell, queries: request.queries, ...sources }, request.http);
});

function routeOf(page: AnyPage): ReadRoute {
  const { name, path, query = [], isCounted } = page;
  const known = Object.fromEntries(query.map(each => [each, Type.String()]));
  const describe = { tag: 'Pages', summary: name, answer: Type.Object({}), query: known };
  return { path, page: traitsOf(page), describe, ...(isCounted && { isCounted }) };
}

const endpointOf = (page: AnyPage): Endpoint => ({
  name: page.name,
  method: 'GET',
  path: page.path,
  settings: { read: routeOf(page) },
  isSent: true,
  ...(isSharedPath(page.path) && { constraints: WANTS_PAGE }),
  handle: ({ queries }, http) => queries.execute(new query({ page, queries, http })),
});

/** The module of all pages. They read through the queries of the features. */
export const PAGES_MODULE: DynamicModule = {
  global: true,
  module: class PagesModule {},
  controllers: [createController('pages', [...PAGES.map(endpointOf), ...assetEndpoints.endpoints])],
  providers: [
    { provide: Assets, useFactory: () => Assets.load(PAGE_SCRIPTS) },
    { provide: FixedPages, useFactory: () => new FixedPages() },
    provider,
    assetEndpoints.provider,
  ],
  exports: [Assets],
};
