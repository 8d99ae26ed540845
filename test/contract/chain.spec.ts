import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Interface, Signature, Wallet, id, keccak256 } from 'ethers';
import type { HDNodeWallet } from 'ethers';
import { TransactionRejected } from '#libs/payments/chain.port.js';
import type { Rail, TransferAuthorization } from '#libs/payments/chain.port.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { UsdcDouble } from '#libs/payments/devchain/contracts/usdc-double.artifact.js';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import {
  EthersChain,
  expectedDomainSeparator,
  recoverPayer,
  transferAuthorizationDigest,
} from '#libs/payments/ethers.chain.js';
import { RAILS } from '#libs/payments/rails.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { RpcProxy } from '../doubles/rpc-proxy.js';
import type { Fault } from '../doubles/rpc-proxy.js';

/** As the tokens answer on their main nets. */
const MAINNET_SEPARATORS: { readonly [rail: string]: string } = {
  'usdc-base': '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
  'usdg-robinhood': '0x7a3d7400b27830f4f91c2c16a082486d67c1befecaec2f53b33f1f35d5b62036',
};
/** What each token says for itself, in its own words. */
const WORDS: { readonly [rail: string]: { [what: string]: string } } = {
  'usdc-base': {
    balance: 'ERC20: transfer amount exceeds balance',
    expired: 'FiatTokenV2: authorization is expired',
    early: 'FiatTokenV2: authorization is not yet valid',
    signature: 'FiatTokenV2: invalid signature',
  },
  'usdg-robinhood': {
    balance: 'InsufficientFunds',
    expired: 'AuthorizationExpired',
    early: 'AuthorizationInvalid',
    signature: 'InvalidSignature',
  },
};
const STRANGER_KEY = id('a stranger');
const PAYEE = new Wallet(id('the payee')).address;
const VALUE = '2500000';
const RPC_TIMEOUT_MS = 500;
const TOKEN = new Interface(UsdcDouble.abi);

let folder: string;
let dev: DevChain;
let counter = 0;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chain-'));
  const funded = [DEV_RELAYER_KEY, STRANGER_KEY].map(key => new Wallet(key).address);
  dev = await DevChain.start({ folder, ports: [0, 0], funded });
});

afterAll(async () => {
  await dev.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const nonce = (): string => id(`nonce ${(counter += 1)}`);

function authorizationOf(payer: string, changes: Partial<TransferAuthorization> = {}): TransferAuthorization {
  const now = Math.floor(Date.now() / 1_000);
  const times = { validAfter: String(now - 600), validBefore: String(now + 300) };
  return { from: payer, to: PAYEE, value: VALUE, ...times, nonce: nonce(), ...changes };
}

function signAs(wallet: HDNodeWallet, rail: Rail, authorization: TransferAuthorization): string {
  return wallet.signingKey.sign(transferAuthorizationDigest(rail, authorization)).serialized;
}

async function cancelAs(wallet: HDNodeWallet, rail: Rail, authorizationNonce: string): Promise<string> {
  const types = {
    CancelAuthorization: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
  };
  const domain = { ...rail.domain, chainId: rail.chainId, verifyingContract: rail.asset };
  return wallet.signTypedData(domain, types, { authorizer: wallet.address, nonce: authorizationNonce });
}

describe.each(RAILS.map(rail => [rail.name, rail] as const))('a chain with %s', (_, rail) => {
  const words = WORDS[rail.name]!;
  let payer: HDNodeWallet;
  let proxy: RpcProxy;
  let chain: EthersChain;
  let node: RpcAddress;

  beforeEach(async () => {
    const url = dev.rpc[rail.short]!;
    node = new RpcAddress(url);
    proxy = await RpcProxy.start(url);
    chain = new EthersChain(rail, [proxy.url], DEV_RELAYER_KEY, { rpcTimeoutMs: RPC_TIMEOUT_MS });
    payer = Wallet.createRandom();
    await dev.faucet(payer.address);
  });

  afterEach(async () => {
    await node.call('evm_setAutomine', true);
    await proxy.stop();
  });

  async function mined(tx: string, authorization: TransferAuthorization) {
    for (let look = 0; look < 200; look += 1) {
      const receipt = await chain.receipt(tx, authorization);
      if (receipt) return receipt;
      await sleep(10);
    }
    throw new Error('The transaction was never mined.');
  }

  async function settle(authorization: TransferAuthorization, by = chain) {
    const signature = signAs(payer, rail, authorization);
    const signed = await by.sign(authorization, signature, await by.nextRelayerNonce());
    await by.broadcast(signed.raw);
    return { signed, receipt: await mined(signed.tx, authorization) };
  }

  async function cancel(authorization: TransferAuthorization): Promise<void> {
    const { v, r, s } = Signature.from(await cancelAs(payer, rail, authorization.nonce));
    const values = [payer.address, authorization.nonce, v, r, s];
    const data = TOKEN.encodeFunctionData('cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)', values);
    const [from] = (await node.call('eth_accounts')) as string[];
    await node.call('eth_sendTransaction', { from, to: rail.asset, data });
    await node.call('evm_mine');
  }

  test('the token is the one of the main net, as its domain separator says', async () => {
    expect(await chain.domainSeparator()).toBe(MAINNET_SEPARATORS[rail.name]);
    expect(expectedDomainSeparator(rail)).toBe(MAINNET_SEPARATORS[rail.name]);
  });

  test('a payer is told by the signature, and nobody by one that is none', () => {
    const authorization = authorizationOf(payer.address);
    const signature = signAs(payer, rail, authorization);
    expect(recoverPayer(rail, authorization, signature)).toBe(payer.address);
    expect(recoverPayer(rail, { ...authorization, value: '1' }, signature)).not.toBe(payer.address);
    expect(recoverPayer(rail, authorization, `${signature}00`)).toBeNull();
    expect(recoverPayer(rail, authorization, `0x${'00'.repeat(65)}`)).toBeNull();
    expect(recoverPayer(rail, authorization, 'no signature')).toBeNull();
  });

  test('an observation is one round trip', async () => {
    const authorization = authorizationOf(payer.address);
    const seen = await chain.observe(payer.address, authorization.nonce);
    expect(seen).toMatchObject({ used: false, balance: 1_000_000_000n, contract: false });
    expect(Math.abs(seen.timestamp - Date.now() / 1_000)).toBeLessThan(60);
    expect(proxy.seen).toEqual([['eth_getBlockByNumber', 'eth_call', 'eth_call', 'eth_getCode']]);
    expect((await chain.observe(rail.asset, authorization.nonce)).contract).toBe(true);
  });

  test('a settlement moves the money once and shows who used the authorization', async () => {
    const authorization = authorizationOf(payer.address);
    const before = await chain.observe(payer.address, authorization.nonce);
    expect(await chain.simulate(authorization, signAs(payer, rail, authorization))).toBeNull();
    expect(await chain.findUse(authorization, before.block)).toBeNull();
    const { signed, receipt } = await settle(authorization);
    const use = { tx: signed.tx, block: receipt.block, paid: true };
    expect(receipt).toEqual({ block: receipt.block, confirmed: true, status: 'success', use });
    expect(await chain.findUse(authorization, before.block)).toEqual(use);
    expect(await chain.findUse(authorization, receipt.block + 1)).toBeNull();
    const after = await chain.observe(payer.address, authorization.nonce);
    expect(after).toMatchObject({ used: true, balance: before.balance - BigInt(VALUE) });
    expect(signed).toMatchObject({ tx: keccak256(signed.raw), relayer: chain.relayer });
  });

  test('a second transaction for a used authorization moves nothing and is no use', async () => {
    const authorization = authorizationOf(payer.address);
    const first = await settle(authorization);
    const again = await settle(authorization);
    expect(again.receipt.use).toBeNull();
    // Circle's token reverts; Paxos's succeeds silently, which is why a status proves nothing.
    expect(again.receipt.status).toBe(rail.token === 'USDC' ? 'reverted' : 'success');
    expect((await chain.findUse(authorization, 0))?.tx).toBe(first.signed.tx);
    expect((await chain.observe(payer.address, authorization.nonce)).balance).toBe(1_000_000_000n - BigInt(VALUE));
  });

  test('a cancelled authorization is used and was not paid', async () => {
    const authorization = authorizationOf(payer.address);
    await cancel(authorization);
    expect((await chain.observe(payer.address, authorization.nonce)).used).toBe(true);
    expect(await chain.findUse(authorization, 0)).toMatchObject({ paid: false });
  });

  test('a use by a stranger is found, and paid', async () => {
    const authorization = authorizationOf(payer.address);
    const { block } = await chain.observe(payer.address, authorization.nonce);
    const stranger = new EthersChain(rail, [proxy.url], STRANGER_KEY);
    const { signed, receipt } = await settle(authorization, stranger);
    expect(await chain.findUse(authorization, block)).toEqual({ tx: signed.tx, block: receipt.block, paid: true });
  });

  test('a use that moved another amount or paid somebody else is not paid', async () => {
    const authorization = authorizationOf(payer.address);
    await settle(authorization);
    expect(await chain.findUse({ ...authorization, value: '1' }, 0)).toMatchObject({ paid: false });
    expect(await chain.findUse({ ...authorization, to: payer.address }, 0)).toMatchObject({ paid: false });
    expect(await chain.findUse({ ...authorization, nonce: nonce() }, 0)).toBeNull();
  });

  test('a use is found across ranges of blocks, and not behind the last of them', async () => {
    const authorization = authorizationOf(payer.address);
    const { block } = await chain.observe(payer.address, authorization.nonce);
    for (let idle = 0; idle < 7; idle += 1) await dev.mineIdle();
    const { signed } = await settle(authorization);
    const search = (rangesMax: number) =>
      new EthersChain(rail, [proxy.url], DEV_RELAYER_KEY, { search: { rangeBlocks: 3, rangesMax } });
    expect(await search(100).findUse(authorization, block)).toMatchObject({ tx: signed.tx, paid: true });
    expect(await search(2).findUse(authorization, block)).toBeNull();
  });

  test('the token says why a transfer would not go through', async () => {
    const reason = async (changes: Partial<TransferAuthorization>) => {
      const authorization = authorizationOf(payer.address, changes);
      return chain.simulate(authorization, signAs(payer, rail, authorization));
    };
    const now = Math.floor(Date.now() / 1_000);
    expect(await reason({ value: '1000000001' })).toBe(words['balance']);
    expect(await reason({ validBefore: String(now - 1) })).toBe(words['expired']);
    expect(await reason({ validAfter: String(now + 100) })).toBe(words['early']);
    expect(await reason({ from: PAYEE })).toBe(words['signature']);
  });

  test('what was signed a moment ago is valid on a chain that has been idle', async () => {
    const now = Math.floor(Date.now() / 1_000);
    await dev.setOffset(-3_600_000);
    await node.call('evm_setTime', now);
    const authorization = authorizationOf(payer.address);
    expect(await chain.simulate(authorization, signAs(payer, rail, authorization))).toBeNull();
    await dev.setOffset(0);
  });

  test('a confirmed observation waits for the configured depth', async () => {
    const deep = new EthersChain({ ...rail, confirmations: 3 }, [proxy.url], DEV_RELAYER_KEY);
    const authorization = authorizationOf(payer.address);
    const { signed, receipt } = await settle(authorization);
    expect(await deep.observeConfirmed(payer.address, authorization.nonce)).toMatchObject({ used: false });
    expect(await deep.findUse(authorization, 0)).toBeNull();
    expect(await deep.receipt(signed.tx, authorization)).toMatchObject({ confirmed: false });
    await dev.mineIdle();
    await dev.mineIdle();
    const seen = await deep.observeConfirmed(payer.address, authorization.nonce);
    expect(seen).toMatchObject({ used: true, block: receipt.block });
    expect(await deep.receipt(signed.tx, authorization)).toMatchObject({ confirmed: true });
    expect(await deep.findUse(authorization, 0)).toMatchObject({ paid: true });
  });

  test('a transaction in no block has no receipt yet', async () => {
    await node.call('evm_setAutomine', false);
    const authorization = authorizationOf(payer.address);
    const relayerNonce = await chain.nextRelayerNonce();
    const signed = await chain.sign(authorization, signAs(payer, rail, authorization), relayerNonce);
    await chain.broadcast(signed.raw);
    expect(await chain.receipt(signed.tx, authorization)).toBeNull();
    expect(await chain.nextRelayerNonce()).toBe(relayerNonce + 1);
    await node.call('evm_mine');
    expect(await chain.receipt(signed.tx, authorization)).toMatchObject({ status: 'success', confirmed: true });
  });

  test('sending what the node has already is a success, waiting or mined', async () => {
    await node.call('evm_setAutomine', false);
    const authorization = authorizationOf(payer.address);
    const signature = signAs(payer, rail, authorization);
    const { raw } = await chain.sign(authorization, signature, await chain.nextRelayerNonce());
    await chain.broadcast(raw);
    await chain.broadcast(raw);
    await node.call('evm_mine');
    await chain.broadcast(raw);
  });

  test('a broadcast whose answer is lost is unavailable, and done', async () => {
    const authorization = authorizationOf(payer.address);
    const signature = signAs(payer, rail, authorization);
    const signed = await chain.sign(authorization, signature, await chain.nextRelayerNonce());
    proxy.set('drop-after', { method: 'eth_sendRawTransaction', times: 1 });
    await expect(chain.broadcast(signed.raw)).rejects.toMatchObject({ name: 'Unavailable' });
    await chain.broadcast(signed.raw);
    expect(await mined(signed.tx, authorization)).toMatchObject({ use: { paid: true } });
  });

  test('a stuck transaction is replaced by one with a higher fee', async () => {
    await node.call('evm_setAutomine', false);
    const authorization = authorizationOf(payer.address);
    const signature = signAs(payer, rail, authorization);
    const relayerNonce = await chain.nextRelayerNonce();
    const stuck = await chain.sign(authorization, signature, relayerNonce);
    await chain.broadcast(stuck.raw);
    const replacement = await chain.sign(authorization, signature, relayerNonce, stuck.fee);
    expect(BigInt(replacement.fee) * 1_000n).toBeGreaterThanOrEqual(BigInt(stuck.fee) * 1_125n);
    await chain.broadcast(replacement.raw);
    await node.call('evm_mine');
    expect(await chain.receipt(replacement.tx, authorization)).toMatchObject({ use: { paid: true } });
    expect(await chain.receipt(stuck.tx, authorization)).toBeNull();
    await expect(chain.broadcast(stuck.raw)).rejects.toBeInstanceOf(TransactionRejected);
  });

  test('the node’s own refusal is a verdict in its words', async () => {
    const authorization = authorizationOf(payer.address);
    const signature = signAs(payer, rail, authorization);
    await settle(authorization);
    const late = await chain.sign(authorization, signature, 0);
    await expect(chain.broadcast(late.raw)).rejects.toMatchObject({ reason: 'nonce too low' });
    const poor = new EthersChain(rail, [proxy.url], id('an empty account'));
    const { raw } = await poor.sign(authorization, signature, 0);
    await expect(poor.broadcast(raw)).rejects.toThrow(/insufficient funds/i);
  });

  test.each<[string, Fault]>([
    ['a closed connection', 'refuse'],
    ['a request that is dropped', 'drop-before'],
    ['an answer that is dropped', 'drop-after'],
    ['no answer in time', { delayMs: RPC_TIMEOUT_MS * 3 }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['an answer that is no JSON', 'garbage'],
    ['a refusal that is no verdict', { refusal: { code: -32_005, message: 'limit exceeded' } }],
  ])('%s is an outage and never a verdict', async (_name, fault) => {
    const authorization = authorizationOf(payer.address);
    const signature = signAs(payer, rail, authorization);
    const { raw, tx } = await chain.sign(authorization, signature, await chain.nextRelayerNonce());
    const fresh = new EthersChain(rail, [proxy.url], DEV_RELAYER_KEY, { rpcTimeoutMs: RPC_TIMEOUT_MS });
    proxy.set(fault);
    const asked = [
      fresh.observe(payer.address, authorization.nonce),
      fresh.observeConfirmed(payer.address, authorization.nonce),
      fresh.findUse(authorization, 0),
      fresh.simulate(authorization, signature),
      fresh.nextRelayerNonce(),
      fresh.sign(authorization, signature, 0),
      fresh.broadcast(raw),
      fresh.receipt(tx, authorization),
      fresh.domainSeparator(),
    ];
    for (const outcome of await Promise.allSettled(asked)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable' } });
    }
  });

  test('the next address answers where the first does not', async () => {
    const broken = await RpcProxy.start(dev.rpc[rail.short]!);
    broken.set({ status: 429 });
    const both = new EthersChain(rail, [broken.url, proxy.url], DEV_RELAYER_KEY);
    expect(await both.observe(payer.address, nonce())).toMatchObject({ used: false });
    expect(broken.seen).toHaveLength(1);
    // Giving up a payment asks all of them, so one that is out of reach cannot be passed over.
    await expect(both.observeConfirmed(payer.address, nonce())).rejects.toMatchObject({ name: 'Unavailable' });
    await broken.stop();
  });
});
