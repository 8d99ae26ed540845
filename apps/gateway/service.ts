import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { sweepChore } from '#libs/platform/coordination/sweep-chore.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Checkpoints } from '#libs/features/events-feed/checkpoints.js';
import { HouseMuse } from '#libs/features/identity/house-muse.js';
import { nameOrigin } from '#libs/features/identity/set-origin.js';
import { nameFeeWallets } from '#libs/features/payments/set-fee-wallet.js';
import { HouseRoles } from '#libs/features/jobs/house-roles.js';
import { type HouseRole, readHouseRoles } from '#libs/features/jobs/roles-file.js';
import { ViewCounter } from '#libs/features/identity/view-counter.js';
import { SAMPLE_MS, StatusHistory } from '#libs/features/stats/status-history.js';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import { hasWrongToken, PaymentsHealth } from '#libs/payments/payments.health.js';
import { type Chore, startChores } from '#libs/setup/process/chores.js';
import { DRAIN_MS, unlessStopped, waitAtMost } from '#libs/setup/process/stopping.js';
import { closeCore, type Core, openCore, type Overrides } from '#libs/service/core.js';
import { type BackgroundTask, startProjections, startReactions } from '#libs/service/background-tasks.js';
import { startMonitoring } from '#libs/service/metrics/metrics.server.js';
import type { Chains } from '#libs/setup/chains.js';
import { configuredRails } from '#libs/setup/configured-rails.js';
import { localAddress } from '#libs/setup/listen-address.js';
import { pinMessageTag } from '#libs/setup/pinned-settings.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';
import { ServiceCommands } from '#libs/endpoints/service-commands.js';
import { EffectRegistry } from '#libs/endpoints/registries.js';
import { openHttpApplication } from './http-application.js';

/** Interval of empty blocks on a development chain while a payment is unfinished. */
const IDLE_BLOCK_MS = 2 * SECOND_MS;
/** Counts that a killed process loses. */
const FLUSH_MS = 5 * SECOND_MS;
const CHECKPOINT_MS = 10 * MINUTE_MS;

export type { Overrides };

export interface Service {
  readonly url: string;
  readonly baseUrl: string;
  readonly stores: Stores;
  readonly chains: Chains;
  readonly models: ReadModels;
  /** Null if metrics are off. */
  readonly metricsUrl: string | null;
  /** Waits for running work and releases all resources. */
  stop(): Promise<void>;
}

/**
 * Starts the whole service: gateway, projections, reactions, payments and the development chain. By default the
 * projections share this thread with requests.
 */
export function startService(
  settings: Settings,
  log: Logger,
  overrides: Overrides = {},
  startProjecting: ProjectionStarter = startProjections,
): Promise<Service> {
  return openService(settings, log, overrides, core => startWhole(core, startProjecting));
}

/** Starts REST and payments only. Another process keeps the read models. */
export function startGateway(settings: Settings, log: Logger, overrides: Overrides = {}): Promise<Service> {
  return openService(settings, log, overrides, core => startServing(core));
}

interface ServingProcess {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly metricsUrl: string | null;
  /** Stops accepting requests and waits for running ones. */
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

/** `enforced` resolves once no forgotten muse has a key, with the log position up to which that was checked. */
type ProjectionStarter = (core: Core, enforced: Promise<Position>) => Promise<BackgroundTask>;

async function startWhole(core: Core, startProjecting: ProjectionStarter): Promise<ServingProcess> {
  let setEnforced: (upTo: Position) => void = () => undefined;
  const filled = startProjecting(core, new Promise(resolve => (setEnforced = resolve)));
  const serving = await startServing(core, filled, setEnforced);
  const projections = await filled;
  const reactions = startReactions(core, serving.app);
  const finish = async () => {
    await Promise.all([serving.finish(), reactions.stop()]);
    // Projections run until the last answer: writers wait for their documents.
    await projections.stop();
  };
  return { ...serving, finish };
}

/** Listens at once. Accepts requests once the read models are filled (here or by a projector) and the house exists. */
async function startServing(
  core: Core,
  filled: Promise<unknown> = Promise.resolve(),
  onEnforced: (upTo: Position) => void = () => undefined,
): Promise<ServingProcess> {
  // A later `await filled` handles the failure.
  filled.catch(() => undefined);
  const roles = readHouseRoles(core.settings, configuredRails(core.settings));
  const { app, close } = await openHttpApplication(core);
  try {
    const url = await listen(app, core.settings);
    core.address.baseUrl ||= url;
    const monitoring = await startMonitoring(core, app);
    onEnforced(await unlessStopped(core.stores.enforceErasures(), core.stopping));
    await unlessStopped(filled, core.stopping);
    const logWaiting = (names: readonly string[]) =>
      core.log.info({ names }, 'waiting for a projector to fill the read models');
    await unlessStopped(core.models.waitUntilFilled(logWaiting), core.stopping);
    await nameService(app, core);
    await openHouse(app, core, roles);
    const finish = acceptRequests(core, app, close);
    return { app, url, metricsUrl: monitoring?.url ?? null, finish: () => finish().then(() => monitoring?.stop()) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the function that stops accepting. */
function acceptRequests(core: Core, app: NestFastifyApplication, close: () => Promise<void>): () => Promise<void> {
  core.effects.push(...app.get(EffectRegistry).all);
  core.payments.start();
  const stopChores = startChores(createChores(core, app), core.log);
  const views = app.get(ViewCounter, { strict: false });
  core.opening.open();
  void logFaults(app.get(PaymentsHealth, { strict: false }), core.log);
  return async () => {
    await Promise.all([close(), stopChores()]);
    await views.flush().catch((error: unknown) => core.log.warn({ err: error }, 'profile views were not saved'));
    await core.limits.limiter
      .flush()
      .catch((error: unknown) => core.log.warn({ err: error }, 'rate limit counts were not saved'));
    await core.payments.stop();
  };
}

/** Runs after the start. A node that is not up yet shows up in the health report later. */
async function logFaults(payments: PaymentsHealth, log: Logger): Promise<void> {
  for (const { rail } of (await payments.checkRails()).filter(hasWrongToken))
    log.error({ rail }, 'the token has an unexpected domain separator: payments cannot settle on this rail');
  for (const account of await payments.findAccountsWithoutKey().catch(() => []))
    log.error({ account }, 'an account has open escrows, but its key is missing, so they cannot end');
}

/** Nest's own `listen` would print a line about a port in use before the error sentence. */
async function listen(app: NestFastifyApplication, { port, host }: Settings): Promise<string> {
  const fastify = app.getHttpAdapter().getInstance();
  try {
    await fastify.listen({ port, host });
  } catch (error) {
    throw new Error(`PORT and HOST: cannot listen on ${host}:${port} (${(error as Error).message}).`, {
      cause: error,
    });
  }
  return localAddress(host, (fastify.server.address() as AddressInfo).port);
}

/** Names the address for requests and the wallets for fees in the log, before the first of either. */
async function nameService(app: NestFastifyApplication, { address, chains }: Core): Promise<void> {
  const commands = app.get(ServiceCommands, { strict: false });
  await nameOrigin(commands, address.baseUrl);
  await nameFeeWallets(commands, chains.settings);
}

/** Creates the house and its roles before the service is announced. */
async function openHouse(
  app: NestFastifyApplication,
  { models, log }: Core,
  roles: readonly HouseRole[] | null,
): Promise<void> {
  await app.get(HouseMuse, { strict: false }).ensure();
  const closed = roles === null ? [] : await app.get(HouseRoles, { strict: false }).sync(roles);
  // A full role is visible to everyone. A role that was closed by hand would look as if its file were ignored.
  for (const { role } of closed.filter(({ reason }) => reason === 'closed'))
    log.warn({ role }, 'a job in the jobs file was closed by hand and stays closed');
  await models.waitForHead();
}

/** Any number of gateways may run these. They need the public address, so they run in gateways. */
function createChores(core: Core, app: NestFastifyApplication): Chore[] {
  const checkpoints = app.get(Checkpoints, { strict: false });
  const views = app.get(ViewCounter, { strict: false });
  const history = app.get(StatusHistory, { strict: false });
  return [
    { name: 'blocks of the development chain', everyMs: IDLE_BLOCK_MS, run: () => mineWhileUnfinished(core) },
    sweepChore(core.stores.coordination, core.clock),
    { name: 'counted requests', everyMs: FLUSH_MS, run: () => core.limits.limiter.flush() },
    { name: 'reads of profiles', everyMs: FLUSH_MS, run: () => views.pass() },
    { name: 'status samples', everyMs: SAMPLE_MS, run: () => history.sample() },
    { name: 'checkpoint', everyMs: CHECKPOINT_MS, run: async () => void (await checkpoints.newest()) },
  ];
}

/** Payments expire only when a block has a late enough timestamp. */
async function mineWhileUnfinished({ chains, payments, clock }: Core): Promise<void> {
  const hasUnfinished = async () =>
    (await payments.listNotFinal()).length > 0 || (await payments.listOpen()).length > 0;
  if (chains.dev && (await hasUnfinished())) await chains.dev.mineEmptyBlocks(clock.now());
}
