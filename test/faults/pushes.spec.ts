import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { a2aOf, message } from '../a2a.js';
import type { HeaderFields, RawAgent } from '../raw-agent.js';
import { send } from '../raw-agent.js';
import { type ReceivedMessage, WebhookReceiver } from '../webhook-receiver.js';
import { CrashFixture } from './crash-fixture.js';
import { waitUntil } from '../wait-until.js';

const WORKERS = 6;
const KILLED_AT = [2, 4];

let receiver: WebhookReceiver;
let fixture: CrashFixture;
let workers: RawAgent[];
let as: HeaderFields;
const a2a = a2aOf(() => fixture.url);

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  fixture = await CrashFixture.start({ FETCH_ALLOW: receiver.host });
  workers = await Promise.all(Array.from({ length: WORKERS }, (_each, at) => fixture.raw(`Worker ${at}`)));
  as = await a2a.member();
});
afterAll(async () => {
  await fixture.stop();
  await receiver.stop();
});

/** Resolves after this many messages; the sender is killed before it gets the last response. */
function killedAt(count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    receiver.answer = () => {
      if (ids().size < count) return { status: 204 };
      fixture.child.kill().then(resolve, reject);
      return { status: 204, afterMs: 1_000 };
    };
  });
}

const ids = () => new Set(receiver.messages.map(({ headers }) => headers['webhook-id']));
const applicantsIn = ({ text }: ReceivedMessage) => new Set(text.match(/agent_[a-z0-9]+/g)).size;

test('a service that is killed between two push notifications sends all, in order', async () => {
  const configuration = { taskPushNotificationConfig: { url: receiver.url } };
  const { id } = await a2a.ask({ ...message('Translate the manual into French.'), configuration }, as);
  for (const [at, worker] of workers.entries()) {
    const isLast = KILLED_AT.includes(at);
    const killed = isLast ? killedAt(at + 1) : null;
    worker.url = fixture.url;
    expect(await worker.post('apply', { role: id, note: 'Gladly.' })).toMatchObject({ status: 200 });
    if (!killed) continue;
    await killed;
    receiver.answer = () => ({ status: 204 });
    await fixture.restart();
  }
  await waitUntil(() => ids().size === WORKERS);
  expect((await a2a.rest(`/tasks/${id}:cancel`, as, { method: 'POST' })).status).toBe(200);
  await waitUntil(() => ids().size === WORKERS + 1);
  const counts = receiver.messages.slice(0, -1).map(applicantsIn);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(receiver.messages.length).toBeGreaterThan(WORKERS + 1);
  expect(receiver.messages.at(-1)!.body).toMatchObject({ task: { id, status: { state: 'TASK_STATE_CANCELED' } } });
  const listed = () => send(fixture.url, '/api/webhook', { body: { action: 'list', form: 'a2a' }, headers: as });
  await waitUntil(async () => ((await listed()).body['webhooks'] as JsonObject[]).length === 0);
}, 120_000);
