import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { faultsIn, parseFields } from '#libs/validation/request-class.js';
import type { Reaction } from '#libs/documents/reactions.js';
import { readFields } from '#libs/http/authentication/mode.js';
import type { RouteSettings } from '#libs/http/routes.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { controllerOf, type Endpoint } from './controller.js';
import type { Judged } from './decision.js';
import { commandOf, queryOf, saleProviders } from './handlers.js';
import { listPage } from './list-cursors.js';
import { isRaw, type Parameters, parametersOf, queryOfRead } from './query-of-read.js';
import type { AnyAsk, AnyOpen, AnyRead, Http } from './read.js';
import { Reactions } from './registries.js';
import { routeOfAsk, routeOfLiveRead, routeOfOpen, routeOfRead, routeOfVerb } from './routes.js';
import type { AnyVerb } from './verb.js';
import { decisionsOf } from './verb-decisions.js';

interface FeatureSpec<V extends readonly AnyVerb[], R extends readonly AnyRead[], K extends readonly AnyAsk[], O> {
  readonly verbs?: V;
  readonly reads?: R;
  readonly asks?: K;
  readonly opens?: O;
  /** Verbs without a route. An auditor still decides what they have written. */
  readonly retired?: readonly AnyVerb[];
  /** What follows from events by itself; other features may use it too, where they cause such an event. */
  readonly reactions?: readonly Type<Reaction>[];
  /** What no verb decides: reactions and what the service does by itself. */
  readonly decisions?: readonly Judged[];
  /** Services that its verbs, reads and reactions use; those of the other features may use them too. */
  readonly providers?: readonly Provider[];
}

/** One feature of the service: a Nest module, and what follows from its declarations besides. */
export interface Feature<
  V extends readonly AnyVerb[] = readonly AnyVerb[],
  R extends readonly AnyRead[] = readonly AnyRead[],
  K extends readonly AnyAsk[] = readonly AnyAsk[],
  O extends readonly AnyOpen[] = readonly AnyOpen[],
> {
  readonly kind: 'feature';
  readonly name: string;
  readonly verbs: V;
  readonly reads: R;
  readonly asks: K;
  readonly opens: O;
  readonly retired: readonly AnyVerb[];
  readonly reactions: readonly Type<Reaction>[];
  /** What HTTP knows of each verb, question and read. */
  readonly routes: readonly RouteSettings[];
  /** How everything that it writes is judged. */
  readonly decisions: readonly Judged[];
  readonly module: DynamicModule;
}

interface Made {
  readonly endpoints: readonly Endpoint[];
  readonly providers: readonly Provider[];
}

/** Lists what a feature consists of; its module registers the routes, handlers, effects and reactions of all of it. */
export function feature<
  const V extends readonly AnyVerb[] = readonly [],
  const R extends readonly AnyRead[] = readonly [],
  const K extends readonly AnyAsk[] = readonly [],
  const O extends readonly AnyOpen[] = readonly [],
>(name: string, spec: FeatureSpec<V, R, K, O>): Feature<V, R, K, O> {
  const { reactions = [], decisions = [], providers = [], retired = [] } = spec;
  const [verbs, reads, asks, opens] = [spec.verbs ?? [], spec.reads ?? [], spec.asks ?? [], spec.opens ?? []];
  const made = [...verbs.map(makeVerb), ...asks.map(makeAsk), ...reads.map(makeRead), ...opens.map(makeOpen)];
  const module = {
    global: true,
    module: Object.defineProperty(class {}, 'name', { value: `${name}.module` }),
    controllers: [
      controllerOf(
        name,
        made.flatMap(({ endpoints }) => endpoints),
      ),
    ],
    providers: [
      ...providers,
      // Payments that are open when their verb is retired still take effect.
      ...[...made, ...retired.map(makeVerb)].flatMap(({ providers }) => providers),
      ...reactions.flatMap(reactionProviders),
    ],
    exports: [...providers, ...reactions],
  };
  return {
    kind: 'feature',
    name,
    verbs: verbs as V,
    reads: reads as R,
    asks: asks as K,
    opens: opens as O,
    retired,
    reactions,
    // A command that a GET gives too is one route.
    routes: [...new Set(made.flatMap(({ endpoints }) => endpoints.map(({ settings }) => settings)))],
    decisions: [...[...verbs, ...retired].flatMap(decisionsOf), ...decisions],
    module,
  };
}

function makeVerb(verb: AnyVerb): Made {
  const { command, provider } = commandOf(verb);
  const sale = verb.sale && saleProviders({ ...verb, sale: verb.sale });
  const write = routeOfVerb(verb, sale && (fields => new sale.query(fields)));
  const endpoint: Endpoint = {
    name: verb.name,
    method: 'POST',
    path: verb.path,
    settings: { write },
    isSent: false,
    handle: ({ commands }, { request }) => commands.execute(new command(request.httpRequest!)),
  };
  const byGet: Endpoint = { ...endpoint, name: `${verb.name}_by_get`, method: 'GET' };
  return { endpoints: verb.byGet ? [endpoint, byGet] : [endpoint], providers: [provider, ...(sale?.providers ?? [])] };
}

function makeAsk(ask: AnyAsk): Made {
  const { fields } = ask;
  const { query, provider } = queryOf(ask.name, ask.uses, async (http: Http, uses) => {
    const { sent, values: parsed, context } = http.request.httpRequest!;
    const { values, withTags } = listPage({ list: `${ask.name} ${context.actor}`, fields, sent, values: parsed });
    const { body, ...answer } = await ask.find(values, context, uses, http);
    return { ...answer, body: withTags(body) };
  });
  const endpoint: Endpoint = {
    name: ask.name,
    method: 'POST',
    path: ask.path,
    settings: { write: routeOfAsk(ask) },
    isSent: false,
    handle: ({ queries }, http) => queries.execute(new query(http)),
  };
  return { endpoints: [endpoint], providers: [provider] };
}

function makeRead(read: AnyRead): Made {
  const { query, provider } = queryOfRead(read);
  const endpoint: Endpoint = {
    name: read.name,
    method: 'GET',
    path: read.path,
    settings: read.live ? { other: routeOfLiveRead(read) } : { read: routeOfRead(read) },
    isSent: true,
    handle: async ({ queries }, http) => {
      const asked = parametersOf(read, http.request.query as Parameters);
      const fields = { ...asked.fields, ...(http.request.params as RequestFields) };
      if (read.media) void http.reply.type(`${read.media}; charset=utf-8`);
      const answer = await queries.execute(new query({ fields, http }));
      if (asked.ignored.length === 0 || read.bare || isRaw(answer)) return answer;
      return { ...(answer as JsonObject), ignored: asked.ignored };
    },
  };
  return { endpoints: [endpoint], providers: [provider] };
}

function makeOpen(open: AnyOpen): Made {
  const { query, provider } = queryOf(open.name, open.uses, async (body: Parameters, uses) => {
    open.mustBeThere?.(uses);
    const sent = readFields(body, false, readable => faultsIn(open.request, readable));
    const { values, ignored } = parseFields(open.request, sent);
    const answer = await open.perform(values, uses);
    return { ok: true, ...answer, ...(ignored.length > 0 && { ignored }) };
  });
  const endpoint: Endpoint = {
    name: open.name,
    method: 'POST',
    path: open.path,
    settings: { other: routeOfOpen(open) },
    isSent: false,
    handle: ({ queries }, { request }) => queries.execute(new query((request.body ?? {}) as Parameters)),
  };
  return { endpoints: [endpoint], providers: [provider] };
}

/** A reaction is known once it is made. */
function reactionProviders(reaction: Type<Reaction>): Provider[] {
  const add = (made: Reaction, reactions: Reactions) => void reactions.all.push(made);
  return [
    reaction,
    {
      provide: `${reaction.name}.added`,
      inject: [reaction, Reactions],
      useFactory: (made: Reaction, reactions: Reactions) => add(made, reactions) ?? true,
    },
  ];
}
