import { expect, test } from '@jest/globals';
import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { ForwardedOutages } from '#libs/service/forwarded-outages.js';
import type { ThreadMessage } from '#libs/service/projection-thread-host.js';
import { until } from './documents/bench.js';

const QUIET_MS = 30;

function logged() {
  const lines: { message: string; details: object }[] = [];
  const write = (details: object, message: string) => void lines.push({ message, details });
  const log = { error: write, info: write };
  const outages = new OutageTracker(log, QUIET_MS);
  OutageTracker.use(log, outages);
  return { log, lines, outages };
}
const away = () => new Unavailable('The event log');

test('logs one outage once for requests and background retries', async () => {
  const { log, lines, outages } = logged();
  const [reaction, webhooks] = [new RetryFailureLog(log), new RetryFailureLog(log)];
  for (let times = 0; times < 3; times += 1) {
    reaction.recordFailure(away(), 'a reaction failed; it is tried again');
    webhooks.recordFailure(away(), 'webhooks failed; they are tried again');
    outages.recordOutage(away());
  }
  // Waits longer than the quiet time, as a slow retry does.
  await new Promise(resolve => setTimeout(resolve, 3 * QUIET_MS));
  expect(lines).toHaveLength(1);
  reaction.recordSuccess();
  webhooks.recordSuccess();
  await until(() => lines.length === 2);
  expect(lines).toEqual([
    { message: expect.stringMatching(/^an outage began/), details: { part: 'The event log', err: expect.any(Error) } },
    { message: 'an outage ended', details: expect.objectContaining({ part: 'The event log', requests: 3 }) },
  ]);
});

test('logs a later error of work that met an outage as its own error', () => {
  const { log, lines } = logged();
  const reaction = new RetryFailureLog(log);
  reaction.recordFailure(away(), 'a reaction failed; it is tried again');
  for (const times of [1, 2]) reaction.recordFailure(new Error(`no ${times}`), 'a reaction failed; it is tried again');
  expect(lines.map(({ message }) => message.split(';')[0])).toEqual([
    'an outage began',
    'a reaction failed',
    'a reaction failed',
  ]);
});

test('a thread forwards an outage and its end after all work has recovered', () => {
  const messages: ThreadMessage[] = [];
  const outages = new ForwardedOutages(message => messages.push(message));
  const [one, other] = [{}, {}];
  for (const work of [one, other])
    outages.recordOutage(new Unavailable('The vault', { cause: new Error('No answer') }), work);
  outages.recordSuccess(one);
  expect(messages).toHaveLength(2);
  outages.recordSuccess(other);
  outages.recordSuccess(other);
  expect(messages).toEqual([
    { kind: 'outage', part: 'The vault', reason: 'No answer' },
    { kind: 'outage', part: 'The vault', reason: 'No answer' },
    { kind: 'recovered' },
  ]);
});
