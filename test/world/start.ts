import { type Overrides, type Service, startService } from '#apps/gateway/service.js';
import type { Position } from '#libs/kernel/event.js';
import { readSettings } from '#libs/setup/settings.js';
import { SplitService, type SplitOptions } from './split-service.js';
import { type Backing, productionStores } from './backing.js';
import { worldLog } from './logged-errors.js';
import type { Environment } from './service-process.js';
import { orderStoryReads } from './story-fetch.js';

const SHOWN_TIMEOUT_MS = 10_000;
/** Tests wait for the passes of timed tasks and payments. */
const PASS_MS = 200;
const PAYMENTS = { timing: { watchMs: PASS_MS, passMs: PASS_MS } };

const { WORLD } = process.env;
/** `WORLD=apart` runs worlds without overrides as separate processes on production stores. */
const IS_APART = WORLD === 'apart';
/** `WORLD=late` runs worlds on an event log that delivers events later than it acknowledges them. */
const IS_LATE = WORLD === 'late';
/** Worlds may share a service only in the usual mode. */
export const isPlain = !IS_APART && !IS_LATE;
/** Time between an append and its delivery on a busy server. */
const DELIVERY_MS = 15;

/** Returns the stores of a world; null for the embedded stores. */
export const openBacking = (folder: string): Promise<Backing | null> =>
  IS_APART || IS_LATE ? productionStores(folder, IS_LATE ? DELIVERY_MS : 0) : Promise.resolve(null);

interface StartOptions {
  readonly overrides?: Overrides;
  readonly apart?: SplitOptions;
}

export function startWorld(
  folder: string,
  environment: Environment,
  { overrides = {}, apart }: StartOptions,
): Promise<Service> {
  if (apart || (IS_APART && Object.keys(overrides).length === 0)) return SplitService.start(folder, environment, apart);
  return startTogether(environment, overrides);
}

/** Lets every read wait for the documents, so that tests need no positions. */
async function startTogether(environment: Environment, overrides: Overrides): Promise<Service> {
  const service = await startService(readSettings(environment), worldLog(), {
    isAlone: true,
    dueEveryMs: PASS_MS,
    ...overrides,
    payments: { ...PAYMENTS, ...overrides.payments },
  });
  const reach = (position: Position) => service.models.waitForPosition(position, SHOWN_TIMEOUT_MS);
  const untold = orderStoryReads([service.url], reach);
  const stop = async () => {
    untold();
    await service.stop();
  };
  return { ...service, stop };
}
