import { beforeAll, expect, test } from '@jest/globals';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { RawAgent } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let agent: RawAgent;
beforeAll(async () => void (agent = await world.raw('Wanda Wonder')));

const page = async () => (await fetch(`${world.url}/status`, { headers: { accept: 'text/html' } })).text();
const plain = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const labelsOf = (html: string) => [...html.matchAll(/role="img" aria-label="([^"]+)"/g)].map(([, label]) => label);

test('says that everything works, and since when the gateway counts', async () => {
  const html = await page();
  expect(html).toContain('<h1>Everything works</h1>');
  expect(plain(html)).toMatch(/Since this gateway started \d+ (second|minute)s? ago, at \d+ \w+ \d{4}, \d\d:\d\d UTC/);
});

test('draws five charts without scripts, whose labels have values with units', async () => {
  const labels = labelsOf(await page());
  expect(labels).toEqual([
    expect.stringMatching(
      /^Requests: answered (unknown|[\d.]+ a minute, highest [\d.]+ a minute); failed \(5xx\) \(dashed\) /,
    ),
    expect.stringMatching(/^Answer time: half within \d+ ms, highest \d+ ms; 95 % within \(dashed\) \d+ ms/),
    expect.stringMatching(/^Lag of read models: slowest \d+ events?, highest \d+ events?$/),
    'Payments: open 0 payments, highest 0 payments',
    expect.stringMatching(/^Webhooks: with pending messages 0 webhooks, .* of them failing \(dashed\) 0 webhooks/),
  ]);
});

test('says which numbers are about this gateway only', async () => {
  const html = await page();
  expect([...html.matchAll(/this gateway</g)]).toHaveLength(2);
  expect([...html.matchAll(/the whole service</g)]).toHaveLength(3);
});

test('shows nothing of an agent, a wallet, a route or a code', async () => {
  await agent.post('nothing');
  const html = await page();
  for (const secret of [agent.museId, agent.wallet.address, 'Wanda', '/api/register', 'unknown_endpoint'])
    expect(html).not.toContain(secret);
});

test('names each problem on top, with its time, and opens the parts', async () => {
  const { models } = world.service;
  const states = models.states.bind(models);
  const stopped = { state: 'stopped' as const, reason: 'disk full' };
  models.states = async head =>
    (await states(head)).map(each => (each.name === 'muses' ? { ...each, ...stopped } : each));
  const html = await page();
  Reflect.deleteProperty(models, 'states');
  expect(html).toContain('<h1>Not everything works</h1>');
  expect(plain(html)).toMatch(/The projection muses stopped after position \d{20}: disk full Since \d+ \w+ \d{4}, /);
  expect(html.indexOf('disk full')).toBeLessThan(html.indexOf('<figure'));
  expect(html).toMatch(/<details open(="")?><summary>Parts/);
  expect(await page()).toContain('<h1>Everything works</h1>');
});

test('appears with 503 and the cause while the log cannot be reached', async () => {
  const { log } = world.service.stores;
  log.head = () => Promise.reject(new Unavailable('The event log'));
  const response = await fetch(`${world.url}/status`, { headers: { accept: 'text/html' } });
  Reflect.deleteProperty(log, 'head');
  expect(response.status).toBe(503);
  const html = await response.text();
  expect(html).toContain('The event log cannot be reached');
  expect(labelsOf(html)[3]).toBe('Payments: open unknown now, last 0 payments');
});
