import 'reflect-metadata';
import { runProcess } from '#libs/process/run-process.js';
import { print } from '#libs/terminal/print.js';
import { startProjectorService } from './service.js';

runProcess(async (settings, log) => {
  const service = await startProjectorService(settings, log);
  print(`The projector is running.${service.metricsUrl ? ` Metrics: ${service.metricsUrl}/metrics` : ''}`);
  return () => service.stop();
});
