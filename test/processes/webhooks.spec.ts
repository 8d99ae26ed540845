import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { a2aOf, message } from '../a2a.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { World } from '../world.js';

let receiver: WebhookReceiver;
let world: World;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const settings = { FETCH_ALLOW: receiver.host };
  world = await World.start({ apart: { gateways: 1, projectors: 1 }, settings });
});
afterAll(async () => {
  await world.stop();
  await receiver.stop();
});

/** Covers the 7 s lease of the webhooks of a killed projector. */
const PATIENCE_MS = 60_000;

test('a webhook is sent by the active projector, and by a standby after a kill', async () => {
  const [ada, ben] = [await world.raw('Ada'), await world.raw('Ben')];
  await ada.connect(ben);
  await ben.ok('webhook', { action: 'create', url: receiver.url, events: 'message' });
  const says = (text: string) => ada.ok('message', { to: ben.museId, text });
  await says('one');
  await receiver.waitFor(1);
  await world.apart.addProjector();
  const killed = new Promise<void>((resolve, reject) => {
    receiver.answer = () => {
      world.apart.projectors[0]!.kill().then(resolve, reject);
      return { status: 204, afterMs: 1_000 };
    };
  });
  await says('two');
  await killed;
  receiver.answer = () => ({ status: 204 });
  await says('three');
  await receiver.waitFor(4, PATIENCE_MS);
  expect(receiver.messages.map(({ body }) => body.data['text'])).toEqual(['one', 'two', 'two', 'three']);
  const [, two, again] = receiver.messages.map(({ headers }) => headers['webhook-id']);
  expect(again).toBe(two);
}, 120_000);

test('a push notification of the projector has the address of the gateway', async () => {
  receiver.messages.length = 0;
  const { ask, member, rest } = a2aOf(() => world.url);
  const as = await member();
  const configuration = { taskPushNotificationConfig: { url: receiver.url, token: 'known to it' } };
  const { id } = await ask(
    { ...message('Translate the manual into French.', { contextId: 'mine' }), configuration },
    as,
  );
  await rest(`/tasks/${id}:cancel`, as, { method: 'POST' });
  const [{ headers, body }] = (await receiver.waitFor(1, PATIENCE_MS)) as [WebhookReceiver['messages'][number]];
  expect(headers['x-a2a-notification-token']).toBe('known to it');
  expect(body).toMatchObject({ task: { id, contextId: 'mine', metadata: { url: `${world.url}/api/role/${id}` } } });
}, 120_000);
