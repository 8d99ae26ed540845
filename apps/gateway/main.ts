import 'reflect-metadata';
import { Option } from 'commander';
import type { Logger } from 'pino';
import { reportChains } from '#libs/payments/chain-state.js';
import { startProjectionThread } from '#libs/service/projection-thread-host.js';
import { shareAddress, writeAddress } from '#libs/setup/address-file.js';
import { prepareDataFolder, lockDataFolder, shareDataFolder } from '#libs/setup/data-folder.js';
import { readHouseWalletKey } from '#libs/setup/key-files.js';
import { requireFreePort } from '#libs/setup/listen-address.js';
import { runProcess } from '#libs/setup/process/run-process.js';
import type { Settings } from '#libs/setup/settings.js';
import { createProgram, parseOptions, failCommand } from '#libs/terminal/command-line.js';
import { print } from '#libs/terminal/print.js';
import type { Service } from './service.js';
import { formatStartReport } from './start-report.js';

interface StartOptions {
  /** A gateway only. Otherwise the process also runs the projections and locks its folder exclusively. */
  readonly apart?: boolean;
  /** Overrides `PORT`. */
  readonly port?: string;
}

const PROGRAM = createProgram('start', {
  meaning:
    'Starts the service: REST, read models and payments in one process. Settings come from the environment and .env.',
  options: [
    new Option('--port <number>', 'port to listen on, instead of PORT; 0 takes a free one'),
    new Option('--apart', 'only a gateway, beside other gateways and a projector'),
  ],
  note: 'docs/settings.md lists all settings. Exit code 0: stopped. 1: cannot run. 2: wrong command line.',
});

/** Returns null if help was printed. Throws a `UsageError`. */
const readStartOptions = (argv: readonly string[]) => parseOptions<StartOptions>(PROGRAM, argv);

/**
 * The exclusive lock of the folder means that no other process holds leases or counts requests in the embedded store.
 */
const exclusiveOverrides = ({ documents }: Settings) =>
  documents === 'sqlite' ? { holder: 'service', isAlone: true } : {};

type StartArguments = [settings: Settings, log: Logger, stopping: AbortSignal, fail: () => void];

/** Loads the service while the projection thread starts. */
const loadService = () => import('./service.js');

async function startWhole(...[settings, log, stopping, fail]: StartArguments): Promise<Service> {
  const projectionThread = startProjectionThread({ settings, ...exclusiveOverrides(settings) });
  return (await loadService()).startService(
    settings,
    log,
    { ...exclusiveOverrides(settings), stopping, fail },
    projectionThread,
  );
}

const startApart = async (...[settings, log, stopping, fail]: StartArguments) =>
  (await loadService()).startGateway(settings, log, { stopping, fail });

function run({ apart = false, port }: StartOptions): void {
  if (port !== undefined) process.env['PORT'] = port;
  runProcess(async (settings, log, stopping, fail) => {
    // Checks the key now: otherwise the first wage would fail.
    readHouseWalletKey(settings);
    prepareDataFolder(settings.dataDir);
    const unlock = apart ? shareDataFolder(settings) : lockDataFolder(settings.dataDir);
    await requireFreePort(settings, apart ? 'start:gateway' : 'start');
    const service = await (apart ? startApart : startWhole)(settings, log, stopping, fail);
    if (apart) await shareAddress(settings, service.url);
    else writeAddress(settings, service.url);
    print(formatStartReport(service, await reportChains(service.chains), settings));
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
  failCommand(error);
}
