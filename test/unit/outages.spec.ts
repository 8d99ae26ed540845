import { expect, test } from '@jest/globals';
import { Failures } from '#libs/platform/outages/failures.js';
import { Outages } from '#libs/platform/outages/outages.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { ForwardedOutages } from '#libs/service/forwarded-outages.js';
import type { FromThread } from '#libs/service/projections-beside.js';
import { until } from './documents/bench.js';

const QUIET_MS = 30;

function logged() {
  const lines: { message: string; details: object }[] = [];
  const write = (details: object, message: string) => void lines.push({ message, details });
  const log = { error: write, info: write };
  const outages = new Outages(log, QUIET_MS);
  Outages.use(log, outages);
  return { log, lines, outages };
}
const away = () => new Unavailable('The event log');

test('logs one outage once for requests and all work that is retried', async () => {
  const { log, lines, outages } = logged();
  const [reaction, webhooks] = [new Failures(log), new Failures(log)];
  for (let times = 0; times < 3; times += 1) {
    reaction.add(away(), 'a reaction failed; it is tried again');
    webhooks.add(away(), 'webhooks failed; they are tried again');
    outages.meet(away());
  }
  // Longer than the quiet time: a retry may be slow.
  await new Promise(resolve => setTimeout(resolve, 3 * QUIET_MS));
  expect(lines).toHaveLength(1);
  reaction.end();
  webhooks.end();
  await until(() => lines.length === 2);
  expect(lines).toEqual([
    { message: expect.stringMatching(/^an outage begins/), details: { part: 'The event log', err: expect.any(Error) } },
    { message: 'an outage is over', details: expect.objectContaining({ part: 'The event log', requests: 3 }) },
  ]);
});

test('logs a failure of its own for work that met an outage before', () => {
  const { log, lines } = logged();
  const reaction = new Failures(log);
  reaction.add(away(), 'a reaction failed; it is tried again');
  for (const times of [1, 2]) reaction.add(new Error(`no ${times}`), 'a reaction failed; it is tried again');
  expect(lines.map(({ message }) => message.split(';')[0])).toEqual([
    'an outage begins',
    'a reaction failed',
    'a reaction failed',
  ]);
});

test('tells the outages of a thread, and their end once no work of it fails', () => {
  const told: FromThread[] = [];
  const outages = new ForwardedOutages(message => told.push(message));
  const [one, other] = [{}, {}];
  for (const work of [one, other]) outages.meet(new Unavailable('The vault', { cause: new Error('No answer') }), work);
  outages.recover(one);
  expect(told).toHaveLength(2);
  outages.recover(other);
  outages.recover(other);
  expect(told).toEqual([
    { kind: 'outage', part: 'The vault', reason: 'No answer' },
    { kind: 'outage', part: 'The vault', reason: 'No answer' },
    { kind: 'recovered' },
  ]);
});
