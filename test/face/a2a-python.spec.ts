import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LONG_MS, ROOT, run } from '../packed/installing.js';
import { quickstart } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let folder: string;
let world: World;
const python = () => join(folder, 'venv', 'bin', 'python');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'a2a-python-'));
  [world] = await Promise.all([World.start(), run(folder, 'python3', ['-m', 'venv', 'venv'])]);
  const requirements = join(ROOT, 'test', 'face', 'a2a-requirements.txt');
  await run(folder, python(), ['-m', 'pip', 'install', '--quiet', '-r', requirements]);
}, LONG_MS);

afterAll(async () => {
  await (world as World | undefined)?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['JSONRPC', 'HTTP+JSON'])(
  'the Python client verifies the card, and follows a job until it is done, by %s',
  async binding => {
    const name = `Pythonist ${binding.slice(0, 4)}`;
    const [poster, worker] = await Promise.all([
      quickstart(world.url, { kind: 'publisher' }),
      quickstart(world.url, { name, kind: 'translator' }),
    ]);
    await world.settled();
    const tokens = [poster, worker].map(({ headers }) => headers['authorization']!.slice('Bearer '.length));
    const story = join(ROOT, 'test', 'face', 'a2a-story.py');
    const argv = [story, world.url, binding, tokens[0]!, name, tokens[1]!, world.page(`Bonjour ${binding}`)];
    const { stdout } = await run(folder, python(), argv, { PYTHONDONTWRITEBYTECODE: '1' });
    expect(stdout).toBe('verified\ncompleted\nlisted\n');
    expect(await world.audit()).toEqual(CLEAN);
  },
  LONG_MS,
);
