import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import { DRAIN_MS, unlessStopped, waitAtMost } from '#libs/setup/process/stopping.js';
import { closeCore, type Core, openCore } from '#libs/service/core.js';
import { FrameworkLog } from '#libs/service/framework-log.js';
import { openNoChains } from '#libs/service/chain-openers.js';
import { type BackgroundTask, startProjections, startReactions } from '#libs/service/background-tasks.js';
import { createProviders } from '#libs/service/providers.js';
import { ServiceModule } from '#libs/service/service.module.js';
import { startMonitoring } from '#libs/service/metrics/metrics.server.js';
import { readAddress } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';

export interface ProjectorService extends BackgroundTask {
  /** Null if metrics are off. */
  readonly metricsUrl: string | null;
}

/** Runs projections and, once it is the active projector, reactions and timed tasks, without a public endpoint. */
export async function startProjectorService(
  settings: Settings,
  log: Logger,
  stopping?: AbortSignal,
  fail?: () => void,
): Promise<ProjectorService> {
  const core = await openCore(settings, log, { ...(stopping && { stopping }), ...(fail && { fail }) }, openNoChains);
  try {
    return await start(core);
  } catch (error) {
    await closeCore(core);
    throw error;
  }
}

async function start(core: Core): Promise<ProjectorService> {
  core.address.baseUrl ||= readAddress(core.settings);
  const app = await NestFactory.createApplicationContext(ServiceModule.with(createProviders(core)), {
    logger: new FrameworkLog(core.log),
    abortOnError: false,
  });
  const monitoring = await startMonitoring(core, app);
  await unlessStopped(core.stores.enforceErasures(), core.stopping);
  const projections = await unlessStopped(startProjections(core), core.stopping);
  let reactions: BackgroundTask | undefined;
  let isStopping = false;
  // A standby would poll the leases of all reactions, and a reaction outside the active process polls the documents.
  void projections.active.then(() => {
    if (!isStopping) reactions = startReactions(core, app);
  });
  core.opening.open();
  const stop = async () => {
    isStopping = true;
    await monitoring?.stop();
    await waitAtMost(DRAIN_MS, Promise.all([reactions?.stop(), projections.stop()]));
    await app.close();
    await closeCore(core);
  };
  return { metricsUrl: monitoring?.url ?? null, stop };
}
