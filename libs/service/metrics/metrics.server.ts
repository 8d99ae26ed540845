import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import { type Health, HealthReport } from '#libs/features/stats/health-report.js';
import { localAddress } from '#libs/setup/listen-address.js';
import type { Core } from '#libs/service/core.js';
import type { Metrics } from './metrics.js';

const REQUEST_TIMEOUT_MS = 10_000;
const HEADER_BYTES_MAX = 8_192;
const NOT_FOUND = 404;
const UNAVAILABLE = 503;

interface MonitoringAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

interface MetricsSources {
  readonly metrics: Metrics;
  /** Health of this process with its HTTP status. */
  readonly health: HealthReport['make'];
}

/** Serves `GET /metrics`, `GET /health` and `GET /health/live` of one process on a port that is not public. */
export class MetricsServer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Port 0 takes a free port. */
  static async start({ host, port }: { host: string; port: number }, sources: MetricsSources): Promise<MetricsServer> {
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, maxHeaderSize: HEADER_BYTES_MAX });
    server.on(
      'request',
      ({ url }, response) => void answerRequest(url, sources).then(answer => send(response, answer)),
    );
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(
      (cause: Error) => {
        throw new Error(`METRICS_PORT: cannot listen on ${host}:${port} (${cause.message}).`, { cause });
      },
    );
    return new MetricsServer(server, localAddress(host, (server.address() as AddressInfo).port));
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

/** Returns null if metrics are off. */
export async function startMonitoring(
  { metrics, settings }: Pick<Core, 'metrics' | 'settings'>,
  app: INestApplicationContext,
): Promise<MetricsServer | null> {
  const { metricsPort: port, host } = settings;
  if (metrics === null || port === null) return null;
  const report = app.get(HealthReport, { strict: false });
  return MetricsServer.start({ host, port }, { metrics, health: () => report.make() });
}

async function answerRequest(url: string | undefined, { metrics, health }: MetricsSources): Promise<MonitoringAnswer> {
  try {
    switch (url?.split('?')[0]) {
      case '/metrics':
        return { status: 200, type: metrics.contentType, text: await metrics.text(await readReport(health)) };
      case '/health':
        return json(await health());
      case '/health/live':
        return json({ status: 200, body: { ok: true } });
      default:
        return json({ status: NOT_FOUND, body: { ok: false, error: 'Paths are /metrics, /health and /health/live.' } });
    }
  } catch {
    return json({ status: UNAVAILABLE, body: { ok: false, error: 'The health check failed.' } });
  }
}

/** Counters are served even if the health check fails. */
async function readReport(health: MetricsSources['health']): Promise<Health | null> {
  try {
    return (await health()).body;
  } catch {
    return null;
  }
}

const json = ({ status, body }: { status: number; body: object }): MonitoringAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(body),
});

function send(response: ServerResponse, { status, type, text }: MonitoringAnswer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}
