import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { LONG_MS, ROOT } from '../packed/installing.js';
import { CLEAN, World } from '../world.js';
import { python, pythonWith } from './python.js';

/** The first package pays and supports only versions before 2 of the second. */
const PACKAGES = ['x402[mcp,evm]==2.25.0', 'mcp==1.30.0'];
const STORY = readFileSync(join(ROOT, 'test', 'face', 'mcp-paying.py'), 'utf8');

let world: World;
let executable: string;

beforeAll(async () => {
  [world, executable] = await Promise.all([World.start(), pythonWith(...PACKAGES)]);
}, LONG_MS);

afterAll(() => (world as World | undefined)?.stop());

test(
  'the client of x402 for Python pays for a tool',
  async () => {
    const wallet = Wallet.createRandom();
    await world.fund(wallet.address);
    expect(await python(executable, STORY, world.url, wallet.privateKey)).toMatch(/^paid 0x[0-9a-f]{64}\n$/);
    expect(await world.audit()).toEqual(CLEAN);
  },
  LONG_MS,
);
