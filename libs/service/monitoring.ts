import type { INestApplicationContext } from '@nestjs/common';
import { HealthReport } from '#libs/features/stats/health-report.js';
import type { Core } from './core.js';

export interface Monitoring {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startMonitoring(
  { metrics, settings }: Core,
  app: INestApplicationContext,
): Promise<Monitoring | null> {
  const { metricsPort: port, host } = settings;
  if (metrics === null || port === null) return null;
  const { MetricsServer } = await import('./metrics/metrics.server.js');
  const report = app.get(HealthReport, { strict: false });
  return MetricsServer.start({ host, port }, { metrics, health: () => report.make() });
}
