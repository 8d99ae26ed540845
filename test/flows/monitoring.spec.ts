import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { Unavailable } from '#libs/kernel/refusal.js';
import { TRANSACTIONS_MIN } from '#libs/payments/gas.js';
import { MetricsServer } from '#libs/service/metrics/metrics.server.js';
import { Metrics } from '#libs/service/metrics/metrics.js';
import { send } from '../raw-agent.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';

/** Compares the dashboard and the alert rules with the metrics of a running service. */
const FOLDER = 'docs/monitoring';
const read = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly section: string };
}
interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { groups } = parse(read('alerts.yml')) as { readonly groups: readonly { readonly rules: readonly Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
const { panels, uid } = JSON.parse(read('grafana/dashboard.json')) as {
  readonly panels: Panel[];
  readonly uid: string;
};
const targets = panels.flatMap(({ title, targets = [] }) => targets.map(target => ({ title, ...target })));
/** Each expression with the text that shows its labels. */
const EXPRESSIONS: readonly (readonly [name: string, expression: string, text: string])[] = [
  ...alerts.map(({ alert, expr, annotations }) => [alert, expr, annotations.summary] as const),
  ...targets.map(({ title, expr, legendFormat }) => [title, expr, legendFormat] as const),
];

/** Values by label, by the name of the metric. Prometheus adds `up`, `instance` and `job` itself. */
type Samples = Map<string, Map<string, Set<string>>>;
const scraped = (): [string, Set<string>][] => [
  ['instance', new Set(['gateway:9464'])],
  ['job', new Set(['agent-job-network'])],
];

function samplesOf(text: string): Samples {
  const samples: Samples = new Map([['up', new Map(scraped())]]);
  for (const [, name, labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const values = samples.get(name!) ?? new Map(scraped());
    for (const [, label, value] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      values.set(label!, (values.get(label!) ?? new Set()).add(value!));
    samples.set(name!, values);
  }
  return samples;
}

/** Texts of the syntax nodes with a name, as Prometheus' grammar parses the expression. */
function nodesOf(expression: string, name: string, parent?: string): string[] {
  const query = expression.replace('$__rate_interval', '5m');
  const names: string[] = [];
  parser.parse(query).iterate({
    enter: ({ type, node, from, to }) => {
      const isWanted = name === 'error' ? type.isError : type.name === name;
      if (isWanted && (parent === undefined || node.parent?.name === parent)) names.push(query.slice(from, to));
    },
  });
  return names;
}

/** Returns metrics and labels that the service does not have, and matchers that match no value. */
function faultsOf(samples: Samples, expression: string, text: string): string[] {
  const selectors = nodesOf(expression, 'VectorSelector');
  const metrics = selectors.map(selector => /^\w+/.exec(selector)![0]);
  const labels = new Set(metrics.flatMap(metric => [...(samples.get(metric)?.keys() ?? [])]));
  const shown = [...text.matchAll(/\{\{ *(?:\$labels\.)?(\w+) *\}\}/g)].map(([, label]) => label!);
  const grouped = nodesOf(expression, 'LabelName', 'GroupingLabels');
  const matchers = selectors.flatMap(selector =>
    nodesOf(selector, 'UnquotedLabelMatcher').map(matcher => [/^\w+/.exec(selector)![0], matcher] as const),
  );
  return [
    ...nodesOf(expression, 'error').map(part => `syntax: ${part}`),
    ...metrics.filter(metric => !samples.has(metric)).map(metric => `metric: ${metric}`),
    ...[...shown, ...grouped].filter(label => !labels.has(label)).map(label => `label: ${label}`),
    ...matchers.filter(([metric, matcher]) => !matches(samples, metric, matcher)).map(([, each]) => `value: ${each}`),
  ];
}

function matches(samples: Samples, metric: string, matcher: string): boolean {
  const [, label, operator, value] = /^(\w+)(=~|!~|!=|=)"(.*)"$/.exec(matcher)!;
  const values = [...(samples.get(metric)?.get(label!) ?? [])];
  const pattern = new RegExp(`^(?:${value})$`);
  return values.some(each => (operator!.endsWith('~') ? pattern.test(each) : each === value));
}

let receiver: WebhookReceiver;
let samples: Samples;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
const world = useWorld(() => World.start({ settings: { METRICS_PORT: '0', FETCH_ALLOW: receiver.host } }));
beforeAll(async () => {
  const [poster, worker] = [await world.raw('poster'), await world.raw('worker')];
  await poster.post('webhook', { action: 'create', url: receiver.url });
  const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };
  const role = (await poster.post('job', job)).body['role'] as string;
  await worker.post('apply', { role, note: 'Me.' });
  await receiver.waitFor(1);
  await poster.post('hire', { role, to: worker.museId });
  await worker.post('inbox', {});
  await world.settle();
  await send(world.url, '/api/muse/agent_0000000000');
  const { log } = world.service.stores;
  log.holds = () => Promise.reject(new Unavailable('The event log'));
  expect(await send(world.url, `/api/events?after=${await log.head()}`)).toMatchObject({ status: 503 });
  Reflect.deleteProperty(log, 'holds');
  const metrics = async () => (await fetch(`${world.service.metricsUrl}/metrics`)).text();
  let text = await metrics();
  while (!/^reactions_total\{/m.test(text)) text = await metrics();
  samples = samplesOf(text);
});
afterAll(() => receiver.stop());

test.each(EXPRESSIONS)('%s uses metrics and labels that exist', (_name, expression, text) => {
  expect(nodesOf(expression, 'VectorSelector').length).toBeGreaterThan(0);
  expect(faultsOf(samples, expression, text)).toEqual([]);
});

test('a wrong metric, label, value or syntax is found', () => {
  const faults = (expression: string, text = '') => faultsOf(samples, expression, text);
  expect(faults('sum(payment_open)')).toEqual(['metric: payment_open']);
  expect(faults('sum by (projector) (projection_running)')).toEqual(['label: projector']);
  expect(faults('projection_running == 0', '{{ $labels.reaction }}')).toEqual(['label: reaction']);
  expect(faults('store_reachable{store="log"}')).toEqual(['value: store="log"']);
  expect(faults('sum(payments_open')).not.toEqual([]);
});

describe('an alert', () => {
  const operating = readFileSync('docs/operating.md', 'utf8');

  test.each(alerts)('$alert has a row and a section in docs/operating.md', ({ alert, annotations: { section } }) => {
    const [page, anchor] = section.split('#');
    const headings = [...operating.matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!.toLowerCase().replaceAll(' ', '-'));
    expect([page, headings.includes(anchor!)]).toEqual(['docs/operating.md', true]);
    expect(operating).toContain(`| \`${alert}\``);
  });

  test('has a unique name, and the limit of gas is that of the code', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    const { expr } = alerts.find(({ alert }) => alert === 'RelayerLacksGas')!;
    expect(expr).toBe(`min by (rail) (relayer_transactions_left) < ${TRANSACTIONS_MIN}`);
  });
});

test('Prometheus scrapes the ports of both processes, and Grafana reads Prometheus', () => {
  const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    readonly services: { readonly [name: string]: { readonly environment: { readonly METRICS_PORT: string } } };
  };
  const ports = ['gateway', 'projector'].map(name => `${name}:${compose.services[name]!.environment.METRICS_PORT}`);
  expect(parse(read('prometheus.yml'))).toMatchObject({
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'agent-job-network', static_configs: [{ targets: ports }] }],
  });
  expect(parse(read('grafana/datasources.yml'))).toMatchObject({
    datasources: [{ uid: 'prometheus', url: 'http://prometheus:9090' }],
  });
  expect([uid, panels.length > 10]).toEqual(['agent-job-network', true]);
});

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])('metrics that listen on %s are announced at %s', async (host, shown) => {
  const health = () => Promise.reject(new Error('not asked'));
  const server = await MetricsServer.start({ host, port: 0 }, { metrics: new Metrics(), health });
  await server.stop();
  expect(server.url.replace(/:\d+$/, '')).toBe(`http://${shown}`);
});
