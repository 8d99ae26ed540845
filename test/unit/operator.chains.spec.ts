import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkChains } from '#apps/operator/doctor/chains.js';
import { readSettings } from '#libs/setup/settings.js';

let folder: string;
let node: Server;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chains-'));
  node = createServer();
  await new Promise<void>(resolve => node.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  node.close();
  node.closeAllConnections();
  rmSync(folder, { recursive: true });
});

test('the doctor reports a chain node that hangs, within 8 seconds', async () => {
  const key = join(folder, 'key');
  writeFileSync(key, `0x${'11'.repeat(32)}`);
  const address = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const settings = { CHAIN: 'rpc', RELAYER_KEY_FILE: key, SERVICE_WALLET: `0x${'1'.repeat(40)}` };
  const began = performance.now();
  const checks = await checkChains(readSettings({ ...settings, BASE_RPC_URL: address, DATA_DIR: folder }));
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(checks.every(({ ok, name }) => !ok && name === 'chain base')).toBe(true);
  expect(checks[0]!.sentence).toMatch(`The node of chain 8453 at ${address} does not answer.`);
});
