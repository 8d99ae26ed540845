import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import { UNDER_WAY_MS, unlessStopped, within } from '#libs/setup/process/stopping.js';
import { closeCore, type Core, openCore } from '#libs/service/core.js';
import { FrameworkLog } from '#libs/service/framework-log.js';
import { noChains } from '#libs/service/own-chains.js';
import { type Running, startProjections, startReactions } from '#libs/service/projecting.js';
import { providersOf } from '#libs/service/providers.js';
import { ServiceModule } from '#libs/service/service.module.js';
import { startWatching } from '#libs/service/watching.js';
import { readAddress } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';

export interface ProjectorService extends Running {
  /** Where `/metrics` and `/health` are; null where they are off. */
  readonly metricsUrl: string | null;
}

/** Starts projections, reactions and what time brings in this process, and nothing that the public reaches. */
export async function startProjectorService(
  settings: Settings,
  log: Logger,
  stopping?: AbortSignal,
): Promise<ProjectorService> {
  const core = await openCore(settings, log, { ...(stopping && { stopping }) }, noChains);
  try {
    return await start(core);
  } catch (error) {
    await closeCore(core);
    throw error;
  }
}

async function start(core: Core): Promise<ProjectorService> {
  core.address.baseUrl ||= readAddress(core.settings);
  const app = await NestFactory.createApplicationContext(ServiceModule.with(providersOf(core)), {
    logger: new FrameworkLog(core.log),
    abortOnError: false,
  });
  const watching = await startWatching(core, app);
  await unlessStopped(core.stores.enforceErasures(), core.stopping);
  const projections = await unlessStopped(startProjections(core), core.stopping);
  const reactions = await startReactions(core, app);
  core.opening.open();
  const stop = async () => {
    await watching?.stop();
    await within(UNDER_WAY_MS, Promise.all([reactions.stop(), projections.stop()]));
    await app.close();
    await closeCore(core);
  };
  return { metricsUrl: watching?.url ?? null, stop };
}
