import { afterAll, beforeAll } from '@jest/globals';
import { JsonRpcProvider } from 'ethers';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { lazily } from '../use-world.js';
import { BASE } from './escrow.bench.js';
import { makeFolder } from '../temporary-folder.js';

const START_MS = 60_000;
const POLL_MS = 10;

/** Starts a development chain before the tests of a file, and stops it after them. `provider` is on its Base. */
export function useDevChain(funded?: readonly string[]): {
  readonly dev: DevChain;
  readonly provider: JsonRpcProvider;
} {
  const folder = makeFolder();
  let dev: DevChain;
  let provider: JsonRpcProvider;
  beforeAll(async () => {
    dev = await DevChain.start({ folder, ports: [0, 0], ...(funded && { funded }) });
    provider = new JsonRpcProvider(dev.rpc['base'], BASE.chainId, { cacheTimeout: -1, staticNetwork: true });
    provider.pollingInterval = POLL_MS;
  }, START_MS);
  afterAll(async () => {
    provider.destroy();
    await dev.stop();
  });
  return { dev: lazily(() => dev), provider: lazily(() => provider) };
}
