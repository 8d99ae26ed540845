import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { a2aOf, message } from '../a2a.js';
import { connected, ok } from '../flows/webhook-world.js';
import { RawAgent } from '../raw-agent.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { newFolder } from '../world.js';
import { ServiceProcess } from '../world/service-process.js';

/** Runs a gateway and a projector as two processes on a data folder. */
let folder: string;
let receiver: WebhookReceiver;
let gateway: ServiceProcess;
let projector: ServiceProcess;
const environment = () => ({
  PORT: '0',
  DATA_DIR: join(folder, 'data'),
  DEV_CHAIN_PORTS: '0,0',
  RATE_LIMITS: 'off',
  HOUSE_ROLES: join(folder, 'roles.json'),
  FETCH_ALLOW: receiver.host,
});

beforeAll(async () => {
  folder = newFolder();
  receiver = await WebhookReceiver.start();
  [projector, gateway] = await Promise.all([
    ServiceProcess.projector(folder, environment()),
    ServiceProcess.gateway(folder, environment()),
  ]);
});
afterAll(async () => {
  expect(await Promise.all([gateway, projector].map(each => each.stop()))).toEqual([0, 0]);
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

/** Covers the 15 s lease of a killed projector. */
const PATIENCE_MS = 60_000;

async function joined(name: string): Promise<RawAgent> {
  const agent = new RawAgent(gateway.url, Date.now);
  await agent.register(name);
  await ok(agent, 'join', { headline: 'writes' });
  return agent;
}

test('a webhook is sent by the projector, and by the next one after a kill', async () => {
  const [ada, ben] = [await joined('Ada'), await joined('Ben')];
  await connected(ada, ben);
  await ok(ben, 'webhook', { action: 'create', url: receiver.url, events: 'message' });
  const says = (text: string) => ok(ada, 'message', { to: ben.museId, text });
  await says('one');
  await receiver.waitFor(1);
  const killed = new Promise<void>((resolve, reject) => {
    receiver.answer = () => {
      projector.kill().then(resolve, reject);
      return { status: 204, afterMs: 1_000 };
    };
  });
  await says('two');
  await killed;
  receiver.answer = () => ({ status: 204 });
  await says('three');
  projector = await ServiceProcess.projector(folder, environment());
  await receiver.waitFor(4, PATIENCE_MS);
  expect(receiver.messages.map(({ body }) => body.data['text'])).toEqual(['one', 'two', 'two', 'three']);
  const [, two, again] = receiver.messages.map(({ headers }) => headers['webhook-id']);
  expect(again).toBe(two);
}, 120_000);

test('a push notification of the projector has the address of the gateway', async () => {
  receiver.messages.length = 0;
  const { ask, member, rest } = a2aOf(() => gateway.url);
  const as = await member();
  const configuration = { taskPushNotificationConfig: { url: receiver.url, token: 'known to it' } };
  const { id } = await ask(
    { ...message('Translate the manual into French.', { contextId: 'mine' }), configuration },
    as,
  );
  await rest(`/tasks/${id}:cancel`, as, { method: 'POST' });
  const [{ headers, body }] = (await receiver.waitFor(1, PATIENCE_MS)) as [WebhookReceiver['messages'][number]];
  expect(headers['x-a2a-notification-token']).toBe('known to it');
  expect(body).toMatchObject({ task: { id, contextId: 'mine', metadata: { url: `${gateway.url}/api/role/${id}` } } });
}, 120_000);
