import { randomUUID } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController } from 'fastify';
import type { Logger } from 'pino';
import { Claims } from '#libs/claims/claims.js';
import { ClaimStreams } from '#libs/claims/claim-streams.js';
import { Projector } from '#libs/documents/projector.js';
import { ReactionRunner } from '#libs/documents/reactions.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { PayEffect } from '#libs/features/hires/commands/pay.js';
import { CompleteHireReaction } from '#libs/features/hires/reactions/complete-hire.reaction.js';
import { ReadDeliveryReaction } from '#libs/features/hires/reactions/read-delivery.reaction.js';
import { IdentitySettings } from '#libs/features/identity/identity.settings.js';
import { JobEffect } from '#libs/features/jobs/commands/job.js';
import { Actors } from '#libs/http/authentication/actors.js';
import { BearerTokens, TokenMint } from '#libs/http/authentication/bearer.js';
import { SignedRequests } from '#libs/http/authentication/signed.js';
import { BODY_BYTES_MAX } from '#libs/http/body.js';
import { addCodes } from '#libs/http/codes.js';
import { FailureFilter } from '#libs/http/failure.filter.js';
import { addHooks } from '#libs/http/hooks.js';
import { DevChains, DocumentStores, EventLogs } from '#libs/http/infrastructure.js';
import { Pipeline } from '#libs/http/pipeline.js';
import { Routing } from '#libs/http/routing.js';
import { RunningRequests } from '#libs/http/running/running.js';
import { Clock, SECOND_MS, systemClock } from '#libs/kernel/clock.js';
import { Integers } from '#libs/kernel/ids.js';
import { PAYMENT_CODES } from '#libs/payments/codes.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { Payments, type PaymentsParts } from '#libs/payments/payments.js';
import { PaymentsHealth } from '#libs/payments/payments.health.js';
import { SafeFetch } from '#libs/safe-fetch/safe-fetch.js';
import { type Chains, openChains } from '#libs/setup/chains.js';
import { FileClock } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { openStores, type Stores } from '#libs/setup/stores.js';
import { PaymentsView } from '#libs/views/payments.js';
import { PROJECTIONS } from '#libs/views/projections.js';
import { GatewayModule, type Parts } from './gateway.module.js';
import { offerTo } from './offers.js';

/** How often a development chain gets an empty block while a payment is unfinished. */
const IDLE_BLOCK_MS = 2 * SECOND_MS;
const REACTIONS = [CompleteHireReaction, ReadDeliveryReaction];

export interface Service {
  readonly url: string;
  readonly baseUrl: string;
  readonly stores: Stores;
  readonly chains: Chains;
  readonly models: ReadModels;
  /** Finishes what is under way and lets go of everything. */
  stop(): Promise<void>;
}

/** What a test puts in place of a part, or hears from it. */
export interface Overrides {
  readonly payments?: Partial<PaymentsParts>;
  readonly chains?: (opened: Chains) => Chains;
}

/** Starts the whole service in this process: gateway, projector, reactions, payments, and the development chain. */
export async function startService(settings: Settings, log: Logger, overrides: Overrides = {}): Promise<Service> {
  const clock: Clock = settings.testClockFile === null ? systemClock : new FileClock(settings.testClockFile);
  const stores = await openStores(settings);
  const opened = await openChains(settings, clock.now() - Date.now(), sentence => log.warn(sentence));
  const chains = overrides.chains?.(opened) ?? opened;
  const models = new ReadModels(stores.documents, stores.log, clock, PROJECTIONS);
  await models.open();
  const projector = new Projector({
    ...{ journal: stores.journal, store: stores.documents, clock, models, log },
    projections: PROJECTIONS,
  });
  await projector.start();

  const claims = new Claims(stores.journal, stores.claimStreams, clock);
  const address = { baseUrl: settings.baseUrl ?? '' };
  const payments = makePayments({ stores, chains, claims, clock, models, log, address }, overrides);
  const app = await makeApp(partsOf({ settings, stores, chains, claims, clock, models, payments }), log);
  const routing = new Routing();
  await prepareHttp(app, { routing, settings, stores, claims, clock, models, payments });
  await app.listen(settings.port, settings.host);
  const url = `http://${settings.host}:${new URL(await app.getUrl()).port}`;
  address.baseUrl = settings.baseUrl ?? url;

  const reactions = REACTIONS.map(
    reaction =>
      new ReactionRunner(app.get(reaction, { strict: false }), {
        journal: stores.journal,
        store: stores.documents,
        clock,
        log,
      }),
  );
  await Promise.all(reactions.map(reaction => reaction.start()));
  payments.start();
  const blocks = keepBlocksComing(chains, models, clock, log);
  return {
    ...{ url, stores, chains, models },
    baseUrl: address.baseUrl,
    stop: async () => {
      clearInterval(blocks);
      await app.close();
      await payments.stop();
      await Promise.all(reactions.map(reaction => reaction.stop()));
      await projector.stop();
      await stores.close();
      await chains.dev?.stop();
    },
  };
}

interface Built {
  readonly stores: Stores;
  readonly chains: Chains;
  readonly claims: Claims;
  readonly clock: Clock;
  readonly models: ReadModels;
}

function makePayments(
  {
    stores,
    chains,
    claims,
    clock,
    models,
    log,
    address,
  }: Built & { log: Logger; address: { readonly baseUrl: string } },
  overrides: Overrides,
): Payments {
  const { journal, coordination, integers } = stores;
  return new Payments({
    ...{ journal, claims, coordination, clock, integers, chains: chains.chains },
    effects: [new JobEffect(journal, chains.settings), new PayEffect(journal)],
    // The address is known for good once a free port was taken.
    offers: {
      get baseUrl() {
        return address.baseUrl;
      },
      v1Rails: 'registry',
    },
    openPayments: async limit => {
      const open = await models.of(PaymentsView).find({ index: 'open', equals: [true], order: 'asc', limit });
      return open.map(({ id }) => id);
    },
    holder: randomUUID(),
    report: (error, payment) => log.error({ err: error, payment }, 'a payment could not go on'),
    ...overrides.payments,
  });
}

function partsOf({
  settings,
  stores,
  chains,
  claims,
  clock,
  models,
  payments,
}: Built & { settings: Settings; payments: Payments }): Parts {
  return [
    [Clock, clock],
    [Journal, stores.journal],
    [Codec, stores.codec],
    [Integers, stores.integers],
    [ClaimStreams, stores.claimStreams],
    [Claims, claims],
    [ReadModels, models],
    [EventLogs, new EventLogs(stores.log)],
    [DocumentStores, new DocumentStores(stores.documents)],
    [DevChains, new DevChains(chains.dev)],
    [TokenMint, new TokenMint(stores.tokenSecret, settings.tokenPrefix)],
    [IdentitySettings, new IdentitySettings(settings.mailDomain)],
    [PaymentSettings, chains.settings],
    [Payments, payments],
    [PaymentsHealth, new PaymentsHealth(chains.chains, models, clock)],
    [SafeFetch, new SafeFetch({ allow: settings.fetchAllow, clock })],
  ];
}

async function makeApp(parts: Parts, log: Logger): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  });
  return NestFactory.create<NestFastifyApplication>(GatewayModule.with(parts), adapter, {
    logger: ['error', 'warn'],
    bodyParser: false,
  });
}

async function prepareHttp(
  app: NestFastifyApplication,
  {
    routing,
    settings,
    stores,
    claims,
    clock,
    models,
    payments,
  }: Omit<Built, 'chains'> & { routing: Routing; settings: Settings; payments: Payments },
) {
  addCodes(PAYMENT_CODES);
  const actors = new Actors(stores.journal);
  const pipeline = new Pipeline({
    signed: new SignedRequests(actors, clock, settings.messageTag),
    bearer: new BearerTokens(actors, models, clock),
    running: new RunningRequests(stores.coordination, clock),
    clock,
    integers: stores.integers,
    offer: offerTo(app.get(QueryBus), payments),
    paidFor: thing => payments.paidFor(thing),
  });
  const fastify = app.getHttpAdapter().getInstance();
  routing.watch(fastify);
  await addHooks(fastify, { pipeline, models });
  app.useGlobalFilters(new FailureFilter(routing));
  await app.init();
  await fastify.ready();
}

function keepBlocksComing(chains: Chains, models: ReadModels, clock: Clock, log: Logger): NodeJS.Timeout {
  return setInterval(() => {
    if (!chains.dev) return;
    const open = models.of(PaymentsView).find({ index: 'open', equals: [true], order: 'asc', limit: 1 });
    open
      .then(found => (found.length > 0 ? chains.dev!.mineIdle(clock.now()) : undefined))
      .catch((error: unknown) => log.debug({ err: error }, 'no empty block'));
  }, IDLE_BLOCK_MS).unref();
}
