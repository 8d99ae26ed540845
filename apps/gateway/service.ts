import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { sweepChore } from '#libs/platform/coordination/sweep-chore.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Checkpoints } from '#libs/features/events-feed/checkpoints.js';
import { HouseMuse } from '#libs/features/identity/house-muse.js';
import { HouseRoles } from '#libs/features/jobs/house-roles.js';
import { type HouseRole, readHouseRoles } from '#libs/features/jobs/roles-file.js';
import { ViewCounter } from '#libs/features/profile/view-counter.js';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import { hasWrongToken, PaymentsHealth } from '#libs/payments/payments.health.js';
import { type Chore, startChores } from '#libs/setup/process/chores.js';
import { DRAIN_MS, unlessStopped, waitAtMost } from '#libs/setup/process/stopping.js';
import { closeCore, type Core, openCore, type Overrides } from '#libs/service/core.js';
import { type BackgroundTask, startProjections, startReactions } from '#libs/service/background-tasks.js';
import { startMonitoring } from '#libs/service/monitoring.js';
import type { Chains } from '#libs/setup/chains.js';
import { configuredRails } from '#libs/setup/configured-rails.js';
import { localAddress } from '#libs/setup/listen-address.js';
import { pinMessageTag } from '#libs/setup/message-tag.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';
import { EffectRegistry } from '#libs/endpoints/registries.js';
import { openHttpApplication } from './http-application.js';

/** How often a development chain gets an empty block while a payment is unfinished. */
const IDLE_BLOCK_MS = 2 * SECOND_MS;
/** How often what was counted in memory is written down: what a kill loses. */
const FLUSH_MS = 5 * SECOND_MS;
const CHECKPOINT_MS = 10 * MINUTE_MS;

export type { Overrides };

export interface Service {
  readonly url: string;
  readonly baseUrl: string;
  readonly stores: Stores;
  readonly chains: Chains;
  readonly models: ReadModels;
  /** Where `/metrics` and `/health` are; null where they are off. */
  readonly metricsUrl: string | null;
  /** Finishes what is under way and lets go of everything. */
  stop(): Promise<void>;
}

/**
 * Starts the whole service in this process: gateway, projector, reactions, payments, and the development chain.
 * `projecting` keeps the documents up: by default on the thread that answers requests.
 */
export function startService(
  settings: Settings,
  log: Logger,
  overrides: Overrides = {},
  projecting: ProjectionStarter = startProjections,
): Promise<Service> {
  return openService(settings, log, overrides, core => startWhole(core, projecting));
}

/** Starts a gateway alone: REST and payments. The read models are kept up by a projector's process. */
export function startGateway(settings: Settings, log: Logger, overrides: Overrides = {}): Promise<Service> {
  return openService(settings, log, overrides, core => startServing(core));
}

/** What a process serves with. */
interface ServingProcess {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly metricsUrl: string | null;
  /** Takes no more requests, and ends what is under way. */
  finish(): Promise<void>;
}

async function openService(
  settings: Settings,
  log: Logger,
  overrides: Overrides,
  serve: (core: Core) => Promise<ServingProcess>,
): Promise<Service> {
  const core = await openCore(settings, log, overrides);
  try {
    await pinMessageTag(core.stores.vault, core.stores.log, settings.messageTag);
    const serving = await serve(core);
    const { stores, chains, models, address } = core;
    const { url, metricsUrl } = serving;
    const stop = async () => {
      core.beginStop();
      await waitAtMost(DRAIN_MS, serving.finish());
      await closeCore(core);
    };
    return { url, baseUrl: address.baseUrl, stores, chains, models, metricsUrl, stop };
  } catch (error) {
    await closeCore(core);
    throw error;
  }
}

/** Keeps the documents up; `enforced` says when no forgotten muse has a key, and up to which position. */
type ProjectionStarter = (core: Core, enforced: Promise<Position>) => Promise<BackgroundTask>;

async function startWhole(core: Core, projecting: ProjectionStarter): Promise<ServingProcess> {
  let setEnforced: (upTo: Position) => void = () => undefined;
  const filled = projecting(core, new Promise(resolve => (setEnforced = resolve)));
  const serving = await startServing(core, filled, setEnforced);
  const projections = await filled;
  const reactions = await startReactions(core, serving.app);
  const finish = async () => {
    await Promise.all([serving.finish(), reactions.stop()]);
    // Until the last answer: who just wrote waits for the documents.
    await projections.stop();
  };
  return { ...serving, finish };
}

/** Listens at once, and takes requests when the documents are filled, by this process or another, and the house is there. */
async function startServing(
  core: Core,
  filled: Promise<unknown> = Promise.resolve(),
  onEnforced: (upTo: Position) => void = () => undefined,
): Promise<ServingProcess> {
  // Who waits for it hears of it; until then nobody does.
  filled.catch(() => undefined);
  const roles = readHouseRoles(core.settings, configuredRails(core.settings));
  const { app, close } = await openHttpApplication(core);
  try {
    const url = await listen(app, core.settings);
    core.address.baseUrl ||= url;
    const watching = await startMonitoring(core, app);
    onEnforced(await unlessStopped(core.stores.enforceErasures(), core.stopping));
    await unlessStopped(filled, core.stopping);
    const waiting = (names: readonly string[]) =>
      core.log.info({ names }, 'waiting for read models, which a projector fills');
    await unlessStopped(core.models.waitUntilFilled(waiting), core.stopping);
    await openHouse(app, core, roles);
    const finish = acceptRequests(core, app, close);
    return { app, url, metricsUrl: watching?.url ?? null, finish: () => finish().then(() => watching?.stop()) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Answers what ends it. */
function acceptRequests(core: Core, app: NestFastifyApplication, close: () => Promise<void>): () => Promise<void> {
  core.effects.push(...app.get(EffectRegistry).all);
  core.payments.start();
  const stopChores = startChores(createChores(core, app), core.log);
  const views = app.get(ViewCounter, { strict: false });
  core.opening.open();
  void logWrongTokens(app.get(PaymentsHealth, { strict: false }), core.log);
  return async () => {
    await Promise.all([close(), stopChores()]);
    await views.flush().catch((error: unknown) => core.log.warn({ err: error }, 'reads of profiles were not written'));
    await core.limits.limiter
      .flush()
      .catch((error: unknown) => core.log.warn({ err: error }, 'limits were not written'));
    await core.payments.stop();
  };
}

/** Behind the first answer. A node that is not there yet says it later, in health. */
async function logWrongTokens(payments: PaymentsHealth, log: Logger): Promise<void> {
  for (const { rail } of (await payments.checkRails()).filter(hasWrongToken))
    log.error({ rail }, 'the token has another domain separator: no payment can settle there');
}

/** Fastify listens and not Nest, which would write its own line about a port that is taken before the sentence. */
async function listen(app: NestFastifyApplication, { port, host }: Settings): Promise<string> {
  const fastify = app.getHttpAdapter().getInstance();
  try {
    await fastify.listen({ port, host });
  } catch (error) {
    throw new Error(`PORT and HOST: ${host}:${port} cannot be listened on (${(error as Error).message}).`, {
      cause: error,
    });
  }
  return localAddress(host, (fastify.server.address() as AddressInfo).port);
}

/** The house and its roles, before anybody is told that the service is there. */
async function openHouse(
  app: NestFastifyApplication,
  { models, log }: Core,
  roles: readonly HouseRole[] | null,
): Promise<void> {
  await app.get(HouseMuse, { strict: false }).ensure();
  const closed = roles === null ? [] : await app.get(HouseRoles, { strict: false }).sync(roles);
  // One that is full says so to everybody; one that was closed by hand looks as if its file had been read by nobody.
  for (const { role } of closed.filter(({ reason }) => reason === 'closed'))
    log.warn({ role }, 'a role of the house was closed by hand and stays closed, though its file names it');
  await models.waitForHead();
}

/** Any number of gateways may do these at once. A checkpoint names the public address, which gateways know. */
function createChores(core: Core, app: NestFastifyApplication): Chore[] {
  const checkpoints = app.get(Checkpoints, { strict: false });
  const views = app.get(ViewCounter, { strict: false });
  return [
    { name: 'blocks of the development chain', everyMs: IDLE_BLOCK_MS, run: () => mineWhileUnfinished(core) },
    sweepChore(core.stores.coordination, core.clock),
    { name: 'counted requests', everyMs: FLUSH_MS, run: () => core.limits.limiter.flush() },
    { name: 'reads of profiles', everyMs: FLUSH_MS, run: () => views.pass() },
    { name: 'checkpoint', everyMs: CHECKPOINT_MS, run: async () => void (await checkpoints.newest()) },
  ];
}

/** What has to expire needs a block that shows the time. */
async function mineWhileUnfinished({ chains, payments, clock }: Core): Promise<void> {
  const waiting = async () => (await payments.listNotFinal()).length > 0 || (await payments.listOpen()).length > 0;
  if (chains.dev && (await waiting())) await chains.dev.mineEmptyBlocks(clock.now());
}
