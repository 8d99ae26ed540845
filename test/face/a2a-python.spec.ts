import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LONG_MS, ROOT, run } from '../packed/installing.js';
import { quickstart } from '../raw-agent.js';
import { type ReceivedMessage, WebhookReceiver } from '../webhook-receiver.js';
import { CLEAN, World } from '../world.js';

let folder: string;
let world: World;
let receiver: WebhookReceiver;
const python = () => join(folder, 'venv', 'bin', 'python');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'a2a-python-'));
  receiver = await WebhookReceiver.start();
  const settings = { FETCH_ALLOW: receiver.host };
  [world] = await Promise.all([World.start({ settings }), run(folder, 'python3', ['-m', 'venv', 'venv'])]);
  const requirements = join(ROOT, 'test', 'face', 'a2a-requirements.txt');
  await run(folder, python(), ['-m', 'pip', 'install', '--quiet', '-r', requirements]);
}, LONG_MS);

afterAll(async () => {
  await (world as World | undefined)?.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['JSONRPC', 'HTTP+JSON'])(
  'the Python client verifies the card, follows a job and gets a push over %s',
  async binding => {
    const name = `Pythonist ${binding.slice(0, 4)}`;
    const [poster, worker] = await Promise.all([
      quickstart(world.url, { kind: 'publisher' }),
      quickstart(world.url, { name, kind: 'translator' }),
    ]);
    await world.settle();
    const tokens = [poster, worker].map(({ headers }) => headers['authorization']!.slice('Bearer '.length));
    const story = join(ROOT, 'test', 'face', 'a2a-story.py');
    const argv = [
      story,
      world.url,
      binding,
      tokens[0]!,
      name,
      tokens[1]!,
      world.page(`Bonjour ${binding}`),
      receiver.url,
    ];
    const { stdout } = await run(folder, python(), argv, { PYTHONDONTWRITEBYTECODE: '1' });
    expect(stdout).toBe('verified\ncompleted\nlisted\ntold\n');
    const [{ headers, body }] = (await receiver.waitFor(1)) as [ReceivedMessage];
    expect(headers).toMatchObject({ authorization: 'Bearer known-to-it', 'x-a2a-notification-token': 'a token' });
    expect(body).toMatchObject({ task: { status: { state: 'TASK_STATE_CANCELED' } } });
    receiver.messages.length = 0;
    expect(await world.audit()).toEqual(CLEAN);
  },
  LONG_MS,
);
