import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { LONG_MS, ROOT, run } from '../packed/installing.js';
import { quickstart } from '../raw-agent.js';
import { type ReceivedMessage, WebhookReceiver } from '../webhook-receiver.js';
import { CLEAN, World } from '../world.js';

const SDKS = ['a2a', 'a2a-legacy'];

let folder: string;
let world: World;
let receiver: WebhookReceiver;
const python = (sdk: string) => join(folder, sdk, 'bin', 'python');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'a2a-python-'));
  receiver = await WebhookReceiver.start();
  world = await World.start({ settings: { FETCH_ALLOW: receiver.host } });
  for (const sdk of SDKS) {
    await run(folder, 'python3', ['-m', 'venv', sdk]);
    const requirements = join(ROOT, 'test', 'face', `${sdk}-requirements.txt`);
    await run(folder, python(sdk), ['-m', 'pip', 'install', '--quiet', '-r', requirements]);
  }
}, LONG_MS);
beforeEach(() => void (receiver.messages.length = 0));

afterAll(async () => {
  await (world as World | undefined)?.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
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
    const story = join(ROOT, 'test', 'face', `${sdk}-story.py`);
    const page = world.page(`Bonjour ${binding}`);
    const argv = [story, world.url, binding, tokens[0]!, name, tokens[1]!, page, receiver.url];
    const { stdout } = await run(folder, python(sdk), argv, { PYTHONDONTWRITEBYTECODE: '1' });
    expect(stdout).toBe(output);
    const [{ headers, body }] = (await receiver.waitFor(1)) as [ReceivedMessage];
    expect(headers).toMatchObject({ authorization: 'Bearer known-to-it', 'x-a2a-notification-token': 'a token' });
    expect(body).toMatchObject(pushed);
    expect(await world.audit()).toEqual(CLEAN);
  },
  LONG_MS,
);
