import 'reflect-metadata';
import { runProcess } from '#libs/setup/process/run-process.js';
import { shareDataFolder } from '#libs/setup/data-folder.js';
import { createProgram, parseOptions, failCommand } from '#libs/terminal/command-line.js';
import { print } from '#libs/terminal/print.js';
import { startProjectorService } from './service.js';

const PROGRAM = createProgram('start:projector', {
  meaning: 'Keeps the read models of separate gateways. Settings come from the environment and .env.',
  options: [],
});

const run = () =>
  runProcess(async (settings, log, stopping, fail) => {
    const unlock = shareDataFolder(settings);
    const service = await startProjectorService(settings, log, stopping, fail);
    print(`The projector is running.${service.metricsUrl ? ` Metrics: ${service.metricsUrl}/metrics` : ''}`);
    return async () => {
      await service.stop();
      unlock();
    };
  });

try {
  if (parseOptions(PROGRAM, process.argv.slice(2)) !== null) run();
} catch (error) {
  failCommand(error);
}
