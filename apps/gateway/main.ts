import 'reflect-metadata';
import type { Logger } from 'pino';
import { chainStates } from '#libs/payments/chain-state.js';
import { runProcess } from '#libs/setup/process/run-process.js';
import { beginProjectionsBeside } from '#libs/service/projections-beside.js';
import { shareAddress, writeAddress } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';
import { keepFolder } from '#libs/setup/data-folder.js';
import { requireFreePort } from '#libs/setup/listening.js';
import { houseWalletKeyOf } from '#libs/setup/key-files.js';
import { print } from '#libs/terminal/print.js';
import { lockDataFolder, shareDataFolder } from '#libs/setup/single-service.js';
import { failed } from '#libs/terminal/failed.js';
import { banner } from './banner.js';
import { readStartOptions, type StartOptions } from './options.js';
import type { Service } from './service.js';

/** The lock of the data folder says that nobody else holds leases in the embedded store under this name, or counts in it. */
const aloneOn = ({ documents }: Settings) => (documents === 'sqlite' ? { holder: 'service', countsAlone: true } : {});

/** The service is loaded while the thread of the projections is. */
const loadService = () => import('./service.js');

async function startWhole(settings: Settings, log: Logger, stopping: AbortSignal): Promise<Service> {
  const projecting = beginProjectionsBeside({ settings, ...aloneOn(settings) });
  return (await loadService()).startService(settings, log, { ...aloneOn(settings), stopping }, projecting);
}

const startApart = async (settings: Settings, log: Logger, stopping: AbortSignal) =>
  (await loadService()).startGateway(settings, log, { stopping });

function run({ apart = false, port }: StartOptions): void {
  if (port !== undefined) process.env['PORT'] = port;
  runProcess(async (settings, log, stopping) => {
    // Its operator needs it, at the first wage: too late to hear that it is wrong.
    houseWalletKeyOf(settings);
    keepFolder(settings.dataDir);
    const unlock = apart ? shareDataFolder(settings) : lockDataFolder(settings.dataDir);
    await requireFreePort(settings, apart ? 'start:gateway' : 'start');
    const service = await (apart ? startApart : startWhole)(settings, log, stopping);
    if (apart) await shareAddress(settings, service.url);
    else writeAddress(settings, service.url);
    print(banner(service, await chainStates(service.chains)));
    return async () => {
      await service.stop();
      unlock();
    };
  });
}

try {
  const options = readStartOptions(process.argv.slice(2));
  if (options !== null) run(options);
} catch (error) {
  failed(error);
}
