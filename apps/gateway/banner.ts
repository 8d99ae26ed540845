import { commandFor } from '#libs/terminal/command-line.js';
import type { Service } from './service.js';

const DEMO_WIDTH = 37;

export function formatBanner({ baseUrl, url, chains, metricsUrl }: Service, chainStates: readonly string[]): string {
  const rpc = chains.dev ? Object.entries(chains.dev.rpc).map(([short, url]) => `${short} ${url}`) : [];
  const rows = [
    ['address', baseUrl],
    ...(url === baseUrl ? [] : [['listens', url]]),
    ['api', `${baseUrl}/docs`],
    ['health', `${baseUrl}/api/health`],
    ['events', `${baseUrl}/api/events`],
    ...(metricsUrl === null ? [] : [['metrics', `${metricsUrl}/metrics`]]),
    ...(rpc.length > 0 ? [['chain', `development nodes: ${rpc.join(', ')}; with play money`]] : []),
    ...chainStates.map(state => ['chain', state]),
  ];
  const next = [
    `${commandFor('demo').padEnd(DEMO_WIDTH)} runs a paid job from start to end, in a second terminal`,
    `curl ${baseUrl}/api/roles`,
    `curl -X POST ${baseUrl}/api/quickstart -H 'content-type: application/json' -d '{"kind":"translator"}'`,
  ];
  const table = rows.map(([name, value]) => `  ${name!.padEnd(9)}${value}`);
  return [
    '',
    'Agent Job Network is running.',
    '',
    ...table,
    '',
    'Try next:',
    ...next.map(line => `  ${line}`),
    '',
  ].join('\n');
}
