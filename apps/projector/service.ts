import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import { closeCore, type Core, openCore } from '#apps/gateway/core.js';
import { GatewayModule } from '#apps/gateway/gateway.module.js';
import { noChains } from '#apps/gateway/own-chains.js';
import { providersOf } from '#apps/gateway/providers.js';
import { UNDER_WAY_MS, within } from '#apps/gateway/stopping.js';
import { startWatching } from '#apps/gateway/watching.js';
import type { Settings } from '#libs/setup/settings.js';
import { type Running, startProjections, startReactions } from './projecting.js';

export interface ProjectorService extends Running {
  /** Where `/metrics` and `/health` are; null where they are off. */
  readonly metricsUrl: string | null;
}

/** Starts projections, reactions and what time brings in this process, and nothing that the public reaches. */
export async function startProjectorService(settings: Settings, log: Logger): Promise<ProjectorService> {
  const core = await openCore(settings, log, {}, noChains);
  try {
    return await start(core);
  } catch (error) {
    await closeCore(core);
    throw error;
  }
}

async function start(core: Core): Promise<ProjectorService> {
  const projections = await startProjections(core);
  const app = await NestFactory.createApplicationContext(GatewayModule.with(providersOf(core)), {
    logger: ['error', 'warn'],
    abortOnError: false,
  });
  const reactions = await startReactions(core, app);
  const watching = await startWatching(core, app);
  const stop = async () => {
    await watching?.stop();
    await within(UNDER_WAY_MS, Promise.all([reactions.stop(), projections.stop()]));
    await app.close();
    await closeCore(core);
  };
  return { metricsUrl: watching?.url ?? null, stop };
}
