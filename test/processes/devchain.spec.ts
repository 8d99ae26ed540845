import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { findFreePort, isAlive } from '#libs/payments/devchain/processes.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { parseBlock } from '#libs/payments/rpc-values.js';
import { waitUntil } from '../wait-until.js';
import { makeFolder } from '../temporary-folder.js';

const WALLET = '0x00000000000000000000000000000000000A11CE';
const THOUSAND = { 'usdc-base': 1_000_000_000n, 'usdg-robinhood': 1_000_000_000n };
const HOUR_MS = 3_600_000;

let folder: string;
let warnings: string[];
const started: DevChain[] = [];
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = makeFolder();
  warnings = [];
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  // Ends all nodes of the test through a new start on its folder.
  await Promise.all(started.splice(0).map(chain => chain.stop()));
  for (const pid of nodePids(folder)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
});

async function start(ports: readonly [number, number] = [0, 0], at = folder): Promise<DevChain> {
  const chain = await DevChain.start({ folder: at, ports, warn: sentence => warnings.push(sentence) });
  started.push(chain);
  return chain;
}

/** Runs the development chain in its own process, which a test can kill. */
async function startProcess(ports: readonly [number, number] = [0, 0]): Promise<ChildProcess> {
  const file = (name: string) => path.join(process.cwd(), 'test', name);
  const program = ['--import', file('setup/typescript-loader.mjs'), file('doubles/dev-chain-process.ts')];
  const args = [...program, folder, ...ports.map(String)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function nodePids(at: string): number[] {
  const files = fs.readdirSync(at).filter(name => name.endsWith('.node.json'));
  return files.map(name => (JSON.parse(fs.readFileSync(path.join(at, name), 'utf8')) as { pid: number }).pid);
}

async function killNodes(): Promise<void> {
  const pids = nodePids(folder);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await waitUntil(() => !pids.some(isAlive));
}

async function newestBlock(url: string) {
  return parseBlock(await new RpcAddress(url).call('eth_getBlockByNumber', 'latest', false));
}

describe('the development chain', () => {
  test('the faucet gives a wallet 1,000 of each token, each time', async () => {
    const chain = await start();
    expect(await chain.fundWallet(WALLET)).toEqual(THOUSAND);
    expect(await chain.fundWallet(WALLET)).toEqual({ 'usdc-base': 2_000_000_000n, 'usdg-robinhood': 2_000_000_000n });
  });

  test('a stop and a start keep the state and the ports', async () => {
    const first = await start();
    await first.fundWallet(WALLET);
    await first.stop();
    expect(nodePids(folder).some(isAlive)).toBe(false);
    const second = await start();
    expect(second.rpc).toEqual(first.rpc);
    expect((await second.fundWallet(WALLET))['usdc-base']).toBe(2_000_000_000n);
  });

  test('killed nodes lose at most the last second', async () => {
    const chain = await start();
    await chain.fundWallet(WALLET);
    await sleep(1_500);
    await killNodes();
    expect((await (await start()).fundWallet(WALLET))['usdg-robinhood']).toBe(2_000_000_000n);
  });

  test('the nodes of a killed service are taken over and ended by the next one', async () => {
    const child = await startProcess();
    const pids = nodePids(folder);
    await kill(child);
    expect(pids.every(isAlive)).toBe(true);
    const chain = await start();
    expect(nodePids(folder)).toEqual(pids);
    expect(await chain.fundWallet(WALLET)).toEqual(THOUSAND);
    await chain.stop();
    expect(pids.some(isAlive)).toBe(false);
  });

  test('the nodes of a running service are shared and not ended', async () => {
    await startProcess();
    const pids = nodePids(folder);
    const guest = await start();
    expect(await guest.fundWallet(WALLET)).toEqual(THOUSAND);
    await guest.stop();
    expect(pids.every(isAlive)).toBe(true);
  });

  test('nodes of a running service in another folder are shared only on request', async () => {
    const ports = [await findFreePort(), await findFreePort()] as const;
    await startProcess(ports);
    const other = makeFolder();
    await expect(start(ports, other)).rejects.toThrow(
      /^Port \d+ is the development chain of another service: set DEV_CHAIN_PORTS to other ports; 0,0 takes free ones\.$/,
    );
    const chain = await DevChain.start({ folder: other, ports, isShared: true, warn: text => warnings.push(text) });
    expect(warnings.filter(text => text.endsWith('This service uses it too.'))).toHaveLength(2);
    await chain.stop();
    expect(nodePids(folder).every(isAlive)).toBe(true);
  });

  test('nodes left by a killed service in another folder are replaced', async () => {
    const ports = [await findFreePort(), await findFreePort()] as const;
    const child = await startProcess(ports);
    const pids = nodePids(folder);
    await kill(child);
    const other = makeFolder();
    const chain = await start(ports, other);
    expect(pids.some(isAlive)).toBe(false);
    expect(await chain.fundWallet(WALLET)).toEqual(THOUSAND);
    await chain.stop();
  });

  test('an unmarked node with the right chain id is used and never ended', async () => {
    const chain = await start();
    const [base, robinhood] = [chain.rpc['base']!, chain.rpc['robinhood']!];
    const marker = `0x${'0'.repeat(64)}`;
    const { markerAddress } = await import('#libs/payments/devchain/find-node.js');
    for (const url of [base, robinhood]) {
      await new RpcAddress(url).call('anvil_setStorageAt', markerAddress, '0x0', marker);
    }
    const ports = [Number(new URL(base).port), Number(new URL(robinhood).port)] as const;
    const other = makeFolder();
    const guest = await start(ports, other);
    await guest.stop();
    expect(nodePids(folder).every(isAlive)).toBe(true);
  });

  test('a port in use is named in a sentence, and no node is left', async () => {
    const server = net.createServer(socket => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as net.AddressInfo;
    await expect(start([port, 0])).rejects.toThrow(`Port ${port} is not a node of chain 8453`);
    expect(nodePids(folder).some(isAlive)).toBe(false);
    server.close();
  });

  test('a corrupt state falls back to a copy, and without a copy to an empty chain', async () => {
    const first = await start();
    await first.fundWallet(WALLET);
    await first.stop();
    const file = (chainId: number, end = '') => path.join(folder, `${chainId}.state.json${end}`);
    fs.copyFileSync(file(8453), file(8453, '.1'));
    for (const chainId of [8453, 4663]) fs.truncateSync(file(chainId), 1_000);
    const second = await start();
    expect(await second.fundWallet(WALLET)).toEqual({ 'usdc-base': 2_000_000_000n, 'usdg-robinhood': 1_000_000_000n });
    expect(warnings.sort()).toEqual([
      'The state of chain 4663 cannot be read. The chain starts empty.',
      'The state of chain 8453 cannot be read. The chain starts from a copy.',
    ]);
  });

  test('a clock offset shows in the blocks, forwards and back', async () => {
    const chain = await start();
    const secondsOff = async () => (await newestBlock(chain.rpc['base']!)).timestamp - Date.now() / 1_000;
    await chain.setClockOffset(HOUR_MS);
    expect(Math.abs((await secondsOff()) - 3_600)).toBeLessThan(3);
    await chain.mineEmptyBlocks();
    expect(Math.abs((await secondsOff()) - 3_600)).toBeLessThan(3);
    await chain.mineEmptyBlocks(Date.now());
    expect(Math.abs(await secondsOff())).toBeLessThan(3);
  });

  test('an idle block is one block on each chain', async () => {
    const chain = await start();
    const before = await newestBlock(chain.rpc['robinhood']!);
    await chain.mineEmptyBlocks();
    expect((await newestBlock(chain.rpc['robinhood']!)).block).toBe(before.block + 1);
  });

  test('the committed contracts match their sources', async () => {
    await expect(
      promisify(execFile)(process.execPath, ['libs/payments/devchain/compile.mjs', '--check']),
    ).resolves.toBeDefined();
  });
});
