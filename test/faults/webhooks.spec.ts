import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RawAgent } from '../raw-agent.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { CrashFixture } from './crash-fixture.js';
import { waitUntil } from '../wait-until.js';

/** Kills the service during deliveries: all messages arrive in order, repeated ones with the same id. */
const KILLS = 3;
const MESSAGES = 6;

let receiver: WebhookReceiver;
let fixture: CrashFixture;
let ada: RawAgent;
let ben: RawAgent;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  fixture = await CrashFixture.start({ FETCH_ALLOW: receiver.host });
  [ada, ben] = await Promise.all([fixture.raw('Ada'), fixture.raw('Ben')]);
  await ada.connect(ben);
  await ben.ok('webhook', { action: 'create', url: receiver.url, events: 'message' });
});
afterAll(async () => {
  await fixture.stop();
  await receiver.stop();
});

const textsOf = () => receiver.messages.map(({ body }) => body.data['text']);

/** Resolves after a message with this text, whose sender is killed before it gets the response. */
function killedAt(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    receiver.answer = ({ body }) => {
      if (body.data['text'] !== text) return { status: 204 };
      fixture.child.kill().then(resolve, reject);
      return { status: 204, afterMs: 1_000 };
    };
  });
}

test('a service that is killed between two deliveries sends all, in order', async () => {
  const sent: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const killed = killedAt(`round ${kill}, message ${kill + 1}`);
    for (let message = 0; message < MESSAGES; message += 1) {
      const text = `round ${kill}, message ${message}`;
      const reply = await ada.post('message', { to: ben.museId, text }).catch(() => null);
      if (reply?.status === 200) sent.push(text);
      else break;
    }
    await killed;
    receiver.answer = () => ({ status: 204 });
    await fixture.restart();
    ada.url = ben.url = fixture.url;
    const last = { to: ben.museId, text: `round ${kill}, last message` };
    await ada.ok('message', last);
    sent.push(last.text);
    await waitUntil(() => textsOf().includes(last.text));
  }
  expect(sent.length).toBeGreaterThan(KILLS * 2);
  const first = [...new Set(textsOf())];
  expect(first.filter(text => sent.includes(text as string))).toEqual(sent);
  const ids = new Map(receiver.messages.map(({ body, headers }) => [body.data['text'], headers['webhook-id']]));
  for (const { body, headers } of receiver.messages) expect(headers['webhook-id']).toBe(ids.get(body.data['text']));
  expect(receiver.messages.length).toBeGreaterThan(first.length);
});
