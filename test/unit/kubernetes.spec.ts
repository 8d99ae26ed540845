import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { DEFAULT_TIMING } from '#libs/documents/lease-keeper.js';
import { PROJECTOR_TIMING } from '#libs/documents/projector.js';
import { health } from '#libs/features/stats/health.js';
import { live } from '#libs/features/stats/live.js';
import { KEEP_ALIVE_MS } from '#libs/http/connections.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { LEASE_MS as ACCOUNT_LEASE_MS } from '#libs/payments/relayer.js';
import { STOP_MS } from '#libs/setup/process/stopping.js';
import { type Settings, readSettings } from '#libs/setup/settings.js';
import { SETTINGS } from '#libs/setup/settings.table.js';
import { makeFolder } from '../temporary-folder.js';

/** Compares the manifests and times in docs/production.md with the code. */
const SECTION = /^## Kubernetes\n[^]*?(?=^## |(?![^]))/m.exec(readFileSync('docs/production.md', 'utf8'))![0];

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: number };
  readonly periodSeconds: number;
  readonly failureThreshold?: number;
}
type ProbeName = 'startupProbe' | 'livenessProbe' | 'readinessProbe';
type Container = { readonly [name in ProbeName]: Probe } & {
  readonly command: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly resources: { readonly limits: { readonly memory: string; readonly cpu?: string } };
};
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: { readonly [name: string]: string };
  readonly spec: {
    readonly strategy: unknown;
    readonly progressDeadlineSeconds: number;
    readonly ports: readonly { readonly targetPort: number }[];
    readonly selector: unknown;
    readonly template: {
      readonly metadata: { readonly labels: unknown };
      readonly spec: { readonly terminationGracePeriodSeconds: number; readonly containers: readonly [Container] };
    };
  };
}

const [, text] = /```yaml\n([^]*?)```/.exec(SECTION)!;
const documents = parseAllDocuments(text!);
const manifests = documents.map(document => document.toJS() as Manifest);
const find = (kind: string, name: string) => manifests.find(each => each.kind === kind && each.metadata.name === name)!;
const { data } = find('ConfigMap', 'agent-job-network');

function settingsOfPods(): Settings {
  const file = join(makeFolder(), 'mongodb');
  writeFileSync(file, 'secret');
  return readSettings({ ...data, MONGODB_PASSWORD_FILE: file });
}
const settings = settingsOfPods();

test('the manifests are valid YAML, and their settings start a service', () => {
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const names = Object.values(SETTINGS).map(({ name }) => name);
  expect(Object.keys(data!).filter(name => !names.includes(name))).toEqual([]);
  expect(settings).toMatchObject({ chain: 'rpc', eventLog: 'eventstoredb', documents: 'mongodb', vault: 'mongodb' });
});

test.each([
  ['gateway', settings.port, live.path, health.path, ['gateway', '--apart']],
  ['projector', settings.metricsPort, '/health/live', '/health', ['projector']],
])('the probes of the %s use its port %i, %s and %s', (name, port, livePath, readyPath, program) => {
  const { spec } = find('Deployment', name);
  const { containers, terminationGracePeriodSeconds: grace } = spec.template.spec;
  const [{ startupProbe, livenessProbe, readinessProbe, command, ports, lifecycle, resources }] = containers;
  expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
    { path: livePath, port },
    { path: livePath, port },
    { path: readyPath, port },
  ]);
  expect(ports.map(({ containerPort }) => containerPort)).toContain(settings.metricsPort);
  expect(ports.map(({ containerPort }) => containerPort)).toContain(port);
  expect(command).toEqual(['node', 'apps/run.mjs', ...program]);
  const pause = lifecycle?.preStop.sleep.seconds ?? 0;
  expect(pause > 0).toBe(name === 'gateway');
  expect(grace).toBeGreaterThan(pause + STOP_MS / SECOND_MS);
  expect(spec.strategy).toEqual({ rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
  expect(spec.selector).toEqual({ matchLabels: spec.template.metadata.labels });
  expect(resources.limits).toEqual({ memory: '1Gi' });
});

test('the Service and the memory limit agree with the settings and with Compose', () => {
  expect(find('Service', 'gateway').spec.ports[0]!.targetPort).toBe(settings.port);
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    readonly services: { readonly [name: string]: { readonly mem_limit: string; readonly stop_grace_period: string } };
  };
  expect([services['gateway']!.mem_limit, services['projector']!.mem_limit]).toEqual(['1g', '1g']);
  const { terminationGracePeriodSeconds: grace } = find('Deployment', 'projector').spec.template.spec;
  expect(services['projector']!.stop_grace_period).toBe(`${grace}s`);
});

test.each([
  ['stop after SIGTERM', STOP_MS],
  [
    'pause before SIGTERM',
    find('Deployment', 'gateway').spec.template.spec.containers[0].lifecycle!.preStop.sleep.seconds * SECOND_MS,
  ],
  ['lease of the active projector', PROJECTOR_TIMING.leaseMs],
  ['lease of a reaction, webhooks or a rebuild', DEFAULT_TIMING.leaseMs],
  ['lease of a relayer account', ACCOUNT_LEASE_MS],
  ['idle connection of a gateway', KEEP_ALIVE_MS],
  ['`progressDeadlineSeconds`', find('Deployment', 'gateway').spec.progressDeadlineSeconds * SECOND_MS],
])('the documented time "%s" is %i ms in the code', (name, ms) => {
  const row = SECTION.split('\n').find(line => line.startsWith(`| ${name}`))!;
  expect(row.split('|')[2]!.trim()).toBe(`${ms / SECOND_MS} s`);
});
