import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { Projector } from '#libs/documents/projector.js';
import { ReactionRunner } from '#libs/documents/reactions.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Checkpoints } from '#libs/features/events-feed/checkpoints.js';
import { HouseMuse } from '#libs/features/identity/house-muse.js';
import { Expiry } from '#libs/features/jobs/expiry.js';
import { HouseRoles } from '#libs/features/jobs/house/house-roles.js';
import { readRolesFile } from '#libs/features/jobs/house/roles-file.js';
import { UnreadableDeliveries } from '#libs/features/records/unreadable-deliveries.js';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Chains } from '#libs/setup/chains.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Stores } from '#libs/setup/stores.js';
import { PROJECTIONS } from '#libs/views/projections.js';
import { type Chore, startChores } from './chores.js';
import { type Core, openCore, openPayments, type Overrides } from './core.js';
import { EFFECTS, REACTIONS } from './gateway.module.js';
import { openHttp } from './http.js';

/** How often a development chain gets an empty block while a payment is unfinished. */
const IDLE_BLOCK_MS = 2 * SECOND_MS;
const EXPIRY_MS = 15 * SECOND_MS;
const CHECKPOINT_MS = 10 * MINUTE_MS;
/** How often it is looked whether a delivery that could not be read is to be tried again. */
const RETRIES_MS = 2 * SECOND_MS;

export type { Overrides };

export interface Service {
  readonly url: string;
  readonly baseUrl: string;
  readonly stores: Stores;
  readonly chains: Chains;
  readonly models: ReadModels;
  /** Finishes what is under way and lets go of everything. */
  stop(): Promise<void>;
}

/** Starts the whole service in this process: gateway, projector, reactions, payments, and the development chain. */
export async function startService(settings: Settings, log: Logger, overrides: Overrides = {}): Promise<Service> {
  const core = await openCore(settings, log, overrides);
  try {
    return await start(core);
  } catch (error) {
    // The nodes of the development chain would outlive the process.
    await core.chains.dev?.stop();
    await core.stores.close();
    throw error;
  }
}

async function start(core: Core): Promise<Service> {
  const projector = await startProjector(core);
  const app = await openHttp(core);
  core.effects.push(...EFFECTS.map(effect => app.get(effect, { strict: false })));
  const url = await listen(app, core.settings);
  core.address.baseUrl ||= url;
  await openHouse(app, core.settings);
  const reactions = await startReactions(core, app);
  core.payments.start();
  const stopChores = startChores(choresOf(core, app), core.log);
  const stop = async () => {
    await app.close();
    await stopChores();
    await core.payments.stop();
    await Promise.all(reactions.map(reaction => reaction.stop()));
    await projector.stop();
    await core.stores.close();
    await core.chains.dev?.stop();
  };
  const { stores, chains, models, address } = core;
  return { url, baseUrl: address.baseUrl, stores, chains, models, stop };
}

async function startProjector({ stores, clock, models, log }: Core): Promise<Projector> {
  const parts = { journal: stores.journal, store: stores.documents, clock, models, log };
  const projector = new Projector({ ...parts, projections: PROJECTIONS });
  await projector.start();
  return projector;
}

async function startReactions({ stores, clock, log }: Core, app: NestFastifyApplication): Promise<ReactionRunner[]> {
  const parts = { journal: stores.journal, store: stores.documents, clock, log };
  const runners = REACTIONS.map(reaction => new ReactionRunner(app.get(reaction, { strict: false }), parts));
  await Promise.all(runners.map(runner => runner.start()));
  return runners;
}

async function listen(app: NestFastifyApplication, { port, host }: Settings): Promise<string> {
  await app.listen(port, host);
  return `http://${host}:${new URL(await app.getUrl()).port}`;
}

/** The house and its roles, before anybody is told that the service is there. */
async function openHouse(app: NestFastifyApplication, { houseRoles }: Settings): Promise<void> {
  const roles = readRolesFile(houseRoles);
  await app.get(HouseMuse, { strict: false }).ensure();
  await app.get(HouseRoles, { strict: false }).keep(roles);
}

function choresOf(core: Core, app: NestFastifyApplication): Chore[] {
  const expiry = app.get(Expiry, { strict: false });
  const checkpoints = app.get(Checkpoints, { strict: false });
  const unreadable = app.get(UnreadableDeliveries, { strict: false });
  return [
    { name: 'blocks of the development chain', everyMs: IDLE_BLOCK_MS, run: () => keepBlocksComing(core) },
    { name: 'checkpoint', everyMs: CHECKPOINT_MS, run: async () => void (await checkpoints.newest()) },
    { name: 'expired jobs', everyMs: EXPIRY_MS, run: () => expiry.pass() },
    { name: 'unreadable deliveries', everyMs: RETRIES_MS, run: () => unreadable.pass() },
  ];
}

/** What has to expire needs a block that shows the time. */
async function keepBlocksComing({ chains, models, clock }: Core): Promise<void> {
  if (chains.dev && (await openPayments(models, 1)).length > 0) await chains.dev.mineIdle(clock.now());
}
