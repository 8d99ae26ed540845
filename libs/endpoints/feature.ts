import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { findFieldFaults, parseFields } from '#libs/validation/request-class.js';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { readFields } from '#libs/http/authentication/authentication-mode.js';
import type { RouteSettings } from '#libs/http/routes.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { API_PREFIX } from '#libs/kernel/page-paths.js';
import { createController, type Endpoint } from './controller.js';
import type { AuditableDecision } from './decision.js';
import { createCommandHandler, createQueryHandler, createPaidActionProviders } from './handlers.js';
import { prepareListPage } from './list-cursors.js';
import { isRawAnswer, type Parameters, parseQueryParameters, getQueryHandler } from './query-handlers.js';
import type { AnyPrivateQuery, AnyOpenAction, AnyQuery, HttpExchange } from './query.js';
import { ReactionRegistry } from './registries.js';
import {
  buildPrivateQueryRoute,
  buildLiveQueryRoute,
  buildOpenActionRoute,
  buildQueryRoute,
  buildCommandRoute,
} from './routes.js';
import type { AnyCommand } from './command.js';
import { decisionsOf } from './command-decisions.js';

interface FeatureSpec {
  readonly commands?: readonly AnyCommand[];
  readonly queries?: readonly AnyQuery[];
  readonly privateQueries?: readonly AnyPrivateQuery[];
  readonly openActions?: readonly AnyOpenAction[];
  /** Commands without a route, kept so that auditors can replay their events. */
  readonly retired?: readonly AnyCommand[];
  /** Exported: other features may call a reaction after they write its event. */
  readonly reactions?: readonly Type<Reaction>[];
  /** Decisions outside commands: those of reactions and of the service. */
  readonly decisions?: readonly AuditableDecision[];
  readonly providers?: readonly Provider[];
}

export interface Feature extends Required<Omit<FeatureSpec, 'providers'>> {
  readonly kind: 'feature';
  readonly name: string;
  readonly routes: readonly RouteSettings[];
  readonly module: DynamicModule;
}

interface EndpointParts {
  readonly endpoints: readonly Endpoint[];
  readonly providers: readonly Provider[];
}

export function feature(name: string, spec: FeatureSpec): Feature {
  const { commands = [], queries = [], privateQueries = [], openActions = [] } = spec;
  const { reactions = [], decisions = [], providers = [], retired = [] } = spec;
  const parts = [
    ...commands.map(buildCommand),
    ...privateQueries.map(buildPrivateQuery),
    ...queries.map(buildQuery),
    ...openActions.map(buildOpenAction),
  ];
  const module = {
    global: true,
    module: Object.defineProperty(class {}, 'name', { value: `${name}.module` }),
    controllers: [
      createController(
        name,
        parts.flatMap(({ endpoints }) => endpoints),
      ),
    ],
    providers: [
      ...providers,
      // Open payments of a retired command still take effect.
      ...[...parts, ...retired.map(buildCommand)].flatMap(({ providers }) => providers),
      ...reactions.flatMap(reactionProviders),
    ],
    exports: [...providers, ...reactions],
  };
  return {
    kind: 'feature',
    name,
    commands,
    queries,
    privateQueries,
    openActions,
    retired,
    reactions,
    // A command or private query with a GET has two endpoints and one route.
    routes: [...new Set(parts.flatMap(({ endpoints }) => endpoints.map(({ settings }) => settings)))],
    decisions: [...[...commands, ...retired].flatMap(decisionsOf), ...decisions],
    module,
  };
}

function buildCommand(declaration: AnyCommand): EndpointParts {
  const { command, provider } = createCommandHandler(declaration);
  const sale = declaration.sale && createPaidActionProviders({ ...declaration, sale: declaration.sale });
  const write = buildCommandRoute(declaration, sale && (fields => new sale.query(fields)));
  const endpoint: Endpoint = {
    name: declaration.name,
    method: 'POST',
    path: declaration.path,
    settings: { write },
    isSent: false,
    handle: ({ commands }, { request }) => commands.execute(new command(request.httpRequest!)),
  };
  return { endpoints: withGet(endpoint, declaration), providers: [provider, ...(sale?.providers ?? [])] };
}

const withGet = (endpoint: Endpoint, { byGet }: { readonly byGet?: boolean }): Endpoint[] =>
  byGet ? [endpoint, { ...endpoint, name: `${endpoint.name}_by_get`, method: 'GET' }] : [endpoint];

function buildPrivateQuery(declaration: AnyPrivateQuery): EndpointParts {
  const { fields } = declaration;
  const { query, provider } = createQueryHandler(
    declaration.name,
    declaration.uses,
    async (http: HttpExchange, uses) => {
      const { sent, values: parsed, context } = http.request.httpRequest!;
      const { values, withTags } = prepareListPage({
        list: `${declaration.name} ${context.actor}`,
        fields,
        sent,
        values: parsed,
      });
      const { body, ...answer } = await declaration.find(values, context, uses, http);
      return { ...answer, body: withTags(body) };
    },
  );
  const endpoint: Endpoint = {
    name: declaration.name,
    method: 'POST',
    path: declaration.path,
    settings: { write: buildPrivateQueryRoute(declaration) },
    isSent: false,
    handle: ({ queries }, http) => queries.execute(new query(http)),
  };
  return { endpoints: withGet(endpoint, declaration), providers: [provider] };
}

function buildQuery(declaration: AnyQuery): EndpointParts {
  const { query, provider } = getQueryHandler(declaration);
  const endpoint: Endpoint = {
    name: declaration.name,
    method: 'GET',
    path: declaration.path,
    settings: declaration.live ? { other: buildLiveQueryRoute(declaration) } : { read: buildQueryRoute(declaration) },
    isSent: true,
    handle: async ({ queries }, http) => {
      const parsed = parseQueryParameters(declaration, http.request.query as Parameters, refusesUnknown(declaration));
      const fields = { ...parsed.fields, ...(http.request.params as RequestFields) };
      if (declaration.media) void http.reply.type(`${declaration.media}; charset=utf-8`);
      const answer = await queries.execute(new query({ fields, http }));
      if (parsed.ignored.length === 0 || declaration.bare || isRawAnswer(answer)) return answer;
      return { ...(answer as JsonObject), ignored: parsed.ignored };
    },
  };
  return { endpoints: [endpoint], providers: [provider] };
}

/** Pages, feeds and texts get parameters from links of others, so they ignore unknown ones. */
const refusesUnknown = ({ path }: AnyQuery) => path.startsWith(API_PREFIX);

function buildOpenAction(declaration: AnyOpenAction): EndpointParts {
  const { query, provider } = createQueryHandler(declaration.name, declaration.uses, async (body: Parameters, uses) => {
    declaration.assertAvailable?.(uses);
    const sent = readFields(body, false, readable => findFieldFaults(declaration.request, readable));
    const { values, ignored } = parseFields(declaration.request, sent);
    const answer = await declaration.perform(values, uses);
    return { ok: true, ...answer, ...(ignored.length > 0 && { ignored }) };
  });
  const endpoint: Endpoint = {
    name: declaration.name,
    method: 'POST',
    path: declaration.path,
    settings: { other: buildOpenActionRoute(declaration) },
    isSent: false,
    handle: ({ queries }, { request }) => queries.execute(new query((request.body ?? {}) as Parameters)),
  };
  return { endpoints: [endpoint], providers: [provider] };
}

function reactionProviders(reaction: Type<Reaction>): Provider[] {
  return [
    reaction,
    {
      provide: `${reaction.name}.added`,
      inject: [reaction, ReactionRegistry],
      useFactory: (instance: Reaction, reactions: ReactionRegistry) => reactions.all.push(instance),
    },
  ];
}
