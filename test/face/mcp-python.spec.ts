import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { LONG_MS, ROOT, run } from '../packed/installing.js';
import { CLEAN, World } from '../world.js';

/** The first package pays and supports only versions before 2 of the second. */
const PACKAGES = ['x402[mcp,evm]==2.25.0', 'mcp==1.30.0'];
const QUIET = { PIP_DISABLE_PIP_VERSION_CHECK: '1', PYTHONDONTWRITEBYTECODE: '1' };

let folder: string;
let world: World;
let python: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-python-'));
  python = join(folder, 'venv', 'bin', 'python');
  const installing = run(folder, 'python3', ['-m', 'venv', join(folder, 'venv')]).then(() =>
    run(folder, python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES], QUIET),
  );
  [world] = await Promise.all([World.start(), installing]);
}, LONG_MS);

afterAll(async () => {
  await (world as World | undefined)?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test(
  'the client of x402 for Python pays for a tool',
  async () => {
    const wallet = Wallet.createRandom();
    await world.fund(wallet.address);
    const more = { ...QUIET, SERVICE: world.url, WALLET_KEY: wallet.privateKey };
    const { stdout } = await run(folder, python, [join(ROOT, 'test', 'face', 'mcp-paying.py')], more);
    expect(stdout).toMatch(/^paid 0x[0-9a-f]{64}\n$/);
    expect(await world.audit()).toEqual(CLEAN);
  },
  LONG_MS,
);
