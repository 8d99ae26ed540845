import { type Overrides, type Service, startService } from '#apps/gateway/service.js';
import type { Position } from '#libs/kernel/event.js';
import { readSettings } from '#libs/setup/settings.js';
import { SplitService, type SplitOptions } from './split-service.js';
import { type Backing, productionStores } from './backing.js';
import { worldLog } from './logged-errors.js';
import type { Environment } from './service-process.js';
import { orderStoryReads } from './story-fetch.js';

/** How long a read waits for the documents, at most. */
const SHOWN_TIMEOUT_MS = 10_000;

/** `WORLD=apart` runs every world that puts nothing in a part's place as processes, and all on the stores of production. */
const IS_APART = process.env['WORLD'] === 'apart';

/** The stores of a world; null where they are the embedded ones in its folder. */
export const openBacking = (folder: string): Promise<Backing | null> =>
  IS_APART ? productionStores(folder) : Promise.resolve(null);

interface StartOptions {
  readonly overrides?: Overrides;
  readonly apart?: SplitOptions;
}

export function startWorld(
  folder: string,
  environment: Environment,
  { overrides = {}, apart }: StartOptions,
): Promise<Service> {
  const isPlain = Object.keys(overrides).length === 0;
  if (apart || (IS_APART && isPlain)) return SplitService.start(folder, environment, apart);
  return startTogether(environment, overrides);
}

/** Where reads are answered from memory they are so here too: they wait, and carry nothing. */
async function startTogether(environment: Environment, overrides: Overrides): Promise<Service> {
  const service = await startService(readSettings(environment), worldLog(), overrides);
  const reach = (position: Position) => service.models.waitForPosition(position, SHOWN_TIMEOUT_MS);
  const untold = orderStoryReads([service.url], reach);
  const stop = async () => {
    untold();
    await service.stop();
  };
  return { ...service, stop };
}
