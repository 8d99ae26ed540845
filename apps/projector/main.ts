import 'reflect-metadata';
import { runProcess } from '#libs/process/run-process.js';
import { startProjectorService } from './service.js';

runProcess(async (settings, log) => {
  const service = await startProjectorService(settings, log);
  console.log(`The projector is running.${service.metricsUrl ? ` Metrics: ${service.metricsUrl}/metrics` : ''}`);
  return () => service.stop();
});
