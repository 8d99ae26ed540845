import type { DynamicModule } from '@nestjs/common';
import type { QueryBus } from '@nestjs/cqrs';
import { Type } from 'typebox';
import { ReadModels } from '#libs/documents/read-models.js';
import { FOR_PEOPLE } from '#libs/http/page-constraint.js';
import type { ReadRoute } from '#libs/http/routes.js';
import { Clock } from '#libs/kernel/clock.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { controllerOf, type Endpoint } from '#libs/endpoints/controller.js';
import { queryOf } from '#libs/endpoints/handlers.js';
import type { Http } from '#libs/endpoints/read.js';
import { PAGES } from './pages.js';
import { answerPage, FixedPages } from './shell/answering.js';
import { assetEndpoint } from './shell/asset-endpoint.js';
import { Assets } from './shell/assets.js';
import { BrowserSettings } from './shell/browser-settings.js';
import type { AnyPage } from './shell/page.js';

interface Asked {
  readonly page: AnyPage;
  readonly queries: QueryBus;
  readonly http: Http;
}

/** The pages that stand in the navigation, in the order of the list. */
export const NAVIGATION = PAGES.filter(({ nav }) => nav !== undefined);

const USES = {
  models: ReadModels,
  clock: Clock,
  assets: Assets,
  address: ServiceAddress,
  settings: BrowserSettings,
  api: ApiDescription,
  fixed: FixedPages,
};

const { query, provider } = queryOf('page', USES, (asked: Asked, uses) => {
  const { models, clock, assets, address, settings, api, fixed } = uses;
  const shell = { assets, baseUrl: address.url, settings, navigation: NAVIGATION };
  return answerPage(asked.page, { shell, queries: asked.queries, models, clock, api, fixed }, asked.http);
});

function routeOf({ name, path, query, asksChains, isFirst, isCounted }: AnyPage): ReadRoute {
  const known = Object.fromEntries(query.map(each => [each, Type.String()]));
  const describe = { tag: 'Pages', summary: name, answer: Type.Object({}), query: known };
  return { path, page: { asksChains, isFirst }, describe, ...(isCounted && { isCounted }) };
}

const endpointOf = (page: AnyPage): Endpoint => ({
  name: page.name,
  method: 'GET',
  path: page.path,
  settings: { read: routeOf(page) },
  isSent: true,
  ...(page.isFirst && { constraints: FOR_PEOPLE }),
  handle: ({ queries }, http) => queries.execute(new query({ page, queries, http })),
});

/** The pages for people, over the reads of all features. */
export const PAGES_MODULE: DynamicModule = {
  global: true,
  module: class PagesModule {},
  controllers: [controllerOf('pages', [...PAGES.map(endpointOf), assetEndpoint.endpoint])],
  providers: [
    { provide: Assets, useFactory: () => Assets.of([...new Set(PAGES.flatMap(({ scripts }) => scripts))]) },
    { provide: FixedPages, useFactory: () => new FixedPages() },
    provider,
    assetEndpoint.provider,
  ],
  exports: [Assets],
};
