import 'reflect-metadata';
import type { Logger } from 'pino';
import { runProcess } from '#libs/process/run-process.js';
import { beginProjectionsBeside } from '#libs/service/projections-beside.js';
import { writeAddress } from '#libs/setup/address-file.js';
import type { Settings } from '#libs/setup/settings.js';
import { keepFolder } from '#libs/setup/data-folder.js';
import { print } from '#libs/terminal/print.js';
import { lockDataFolder } from '#libs/setup/single-service.js';
import { banner } from './banner.js';
import type { Service } from './service.js';

/** Without it the process runs the projections too, and is the only one of its kind on its data folder. */
const APART = '--apart';

const isApart = process.argv.includes(APART);

/** The lock of the data folder says that nobody else holds leases in the embedded store under this name, or counts in it. */
const aloneOn = ({ documents }: Settings) => (documents === 'sqlite' ? { holder: 'service', countsAlone: true } : {});

/** The service is loaded while the thread of the projections is. */
const loadService = () => import('./service.js');

async function startWhole(settings: Settings, log: Logger): Promise<Service> {
  const projecting = beginProjectionsBeside({ settings, ...aloneOn(settings) });
  return (await loadService()).startService(settings, log, aloneOn(settings), projecting);
}

const startApart = async (settings: Settings, log: Logger) => (await loadService()).startGateway(settings, log);

runProcess(async (settings, log) => {
  keepFolder(settings.dataDir);
  const unlock = isApart ? () => undefined : lockDataFolder(settings.dataDir);
  const service = await (isApart ? startApart : startWhole)(settings, log);
  writeAddress(settings, service.url);
  print(banner(service));
  return async () => {
    await service.stop();
    unlock();
  };
});
