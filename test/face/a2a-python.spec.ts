import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { LONG_MS, ROOT } from '../packed/installing.js';
import { quickstart } from '../raw-agent.js';
import { type ReceivedMessage, WebhookReceiver } from '../webhook-receiver.js';
import { CLEAN, World } from '../world.js';
import { python, pythonWith } from './python.js';

const read = (name: string) => readFileSync(join(ROOT, 'test', 'face', name), 'utf8');

let world: World;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  world = await World.start({ settings: { FETCH_ALLOW: receiver.host } });
});
beforeEach(() => void (receiver.messages.length = 0));

afterAll(async () => {
  await (world as World | undefined)?.stop();
  await receiver.stop();
});

const CANCELED = { status: { state: 'TASK_STATE_CANCELED' } };
const COMPLETED = 'verified\ncompleted\nlisted\ntold\n';

test.each([
  ['a2a', 'JSONRPC', COMPLETED, { task: CANCELED }],
  ['a2a', 'HTTP+JSON', COMPLETED, { task: CANCELED }],
  ['a2a-legacy', 'version 0.3', 'completed\nrefused\ntold\n', { kind: 'task', status: { state: 'canceled' } }],
])(
  'the Python client %s reads the card, follows a job and gets a push over %s',
  async (sdk, binding, output, pushed) => {
    const name = `Pythonist ${binding.slice(0, 4)}`;
    const [poster, worker] = await Promise.all([
      quickstart(world.url, { kind: 'publisher' }),
      quickstart(world.url, { name, kind: 'translator' }),
    ]);
    await world.settle();
    const tokens = [poster, worker].map(({ headers }) => headers['authorization']!.slice('Bearer '.length));
    const executable = await pythonWith(...read(`${sdk}-requirements.txt`).trim().split('\n'));
    const argv = [world.url, binding, tokens[0]!, name, tokens[1]!, world.page(`Bonjour ${binding}`), receiver.url];
    expect(await python(executable, read(`${sdk}-story.py`), ...argv)).toBe(output);
    const [{ headers, body }] = (await receiver.waitFor(1)) as [ReceivedMessage];
    expect(headers).toMatchObject({ authorization: 'Bearer known-to-it', 'x-a2a-notification-token': 'a token' });
    expect(body).toMatchObject(pushed);
    expect(await world.audit()).toEqual(CLEAN);
  },
  LONG_MS,
);
