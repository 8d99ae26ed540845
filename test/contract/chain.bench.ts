import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from '@jest/globals';
import { type BaseWallet, id, Wallet } from 'ethers';
import type { Rail, TransferAuthorization } from '#libs/payments/chain.port.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { transferCall } from '#libs/payments/eip3009.js';
import type { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { EthersChain, transferAuthorizationDigest } from '#libs/payments/ethers.chain.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { RpcProxy } from '../doubles/rpc-proxy.js';
import { signCancellation } from '../third-party.js';
import { useDevChain } from './dev-chain.js';

export const STRANGER_KEY = id('a stranger');
export const PAYEE = new Wallet(id('the payee')).address;
export const VALUE = '2500000';
export const RPC_TIMEOUT_MS = 500;
const LOOKS_MAX = 200;
const LOOK_MS = 10;

let counter = 0;
export const nonce = (): string => id(`nonce ${(counter += 1)}`);

export function authorizationOf(payer: string, changes: Partial<TransferAuthorization> = {}): TransferAuthorization {
  const now = Math.floor(Date.now() / 1_000);
  const times = { validAfter: String(now - 600), validBefore: String(now + 300) };
  return { from: payer, to: PAYEE, value: VALUE, ...times, nonce: nonce(), ...changes };
}

export function signAs(wallet: BaseWallet, rail: Rail, authorization: TransferAuthorization): string {
  return wallet.signingKey.sign(transferAuthorizationDigest(rail, authorization)).serialized;
}

/** Starts a development chain for all tests of a file. */
export function devChains(): () => DevChain {
  const { dev } = useDevChain([DEV_RELAYER_KEY, STRANGER_KEY].map(key => new Wallet(key).address));
  return () => dev;
}

export type ChainBench = Awaited<ReturnType<typeof chainBench>>;

/** Gives each test a funded payer and a chain behind a proxy that can fail. */
export function chainBenches(rail: Rail, dev: () => DevChain): () => ChainBench {
  let bench: ChainBench;
  beforeEach(async () => void (bench = await chainBench(rail, dev())));
  afterEach(async () => {
    await bench.node.call('evm_setAutomine', true);
    await bench.proxy.stop();
  });
  return () => bench;
}

async function chainBench(rail: Rail, dev: DevChain) {
  const url = dev.rpc[rail.short]!;
  const node = new RpcAddress(url);
  const proxy = await RpcProxy.start(url);
  const chain = new EthersChain(rail, [proxy.url], DEV_RELAYER_KEY, { rpcTimeoutMs: RPC_TIMEOUT_MS });
  const payer = Wallet.createRandom();
  await dev.fundWallet(payer.address);

  /** Signs an authorization of the payer. */
  function authorize() {
    const authorization = authorizationOf(payer.address);
    return { authorization, signature: signAs(payer, rail, authorization) };
  }

  async function mined(tx: string, authorization: TransferAuthorization) {
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const receipt = await chain.receipt(tx, authorization);
      if (receipt) return receipt;
      await sleep(LOOK_MS);
    }
    throw new Error('The transaction was never mined.');
  }

  async function settle(authorization: TransferAuthorization, by = chain) {
    const signature = signAs(payer, rail, authorization);
    const signed = await by.sign(transferCall(rail, authorization, signature), await by.nextRelayerNonce());
    await by.broadcast(signed.raw);
    return { signed, receipt: await mined(signed.tx, authorization) };
  }

  async function cancel(authorization: TransferAuthorization): Promise<void> {
    const data = await signCancellation(rail.name, payer, authorization.nonce);
    const [from] = (await node.call('eth_accounts')) as string[];
    await node.call('eth_sendTransaction', { from, to: rail.asset, data });
    await node.call('evm_mine');
  }

  return { dev, node, proxy, chain, payer, authorize, mined, settle, cancel };
}
