import { expect, test } from '@jest/globals';
import { keccak256 } from 'ethers';
import type { Rail } from '#libs/payments/chain.port.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { transferCall } from '#libs/payments/eip3009.js';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { RAILS } from '#libs/payments/rails.js';
import { EthersChain } from '#libs/payments/ethers.chain.js';
import { authorizationOf, nonce, signAs, STRANGER_KEY, VALUE, type ChainBench } from './chain.bench.js';
import { makeFolder } from '../temporary-folder.js';

export function settles(rail: Rail, at: () => ChainBench): void {
  test('a settlement moves the money once and shows who used the authorization', async () => {
    const { chain, payer, settle } = at();
    const authorization = authorizationOf(payer.address);
    const before = await chain.observe(payer.address, authorization.nonce);
    expect(await chain.simulate(transferCall(rail, authorization, signAs(payer, rail, authorization)))).toBeNull();
    expect(await chain.findUse(authorization, before.block)).toBeNull();
    const { signed, receipt } = await settle(authorization);
    const use = { tx: signed.tx, block: receipt.block, paid: true };
    expect(receipt).toEqual({ block: receipt.block, confirmed: true, status: 'success', use });
    expect(await chain.findUse(authorization, before.block)).toEqual(use);
    expect(await chain.findUse({ ...authorization, nonce: nonce() }, before.block)).toBeNull();
    const after = await chain.observe(payer.address, authorization.nonce);
    expect(after).toMatchObject({ used: true, balance: before.balance - BigInt(VALUE) });
    expect(signed).toMatchObject({ tx: keccak256(signed.raw), relayer: chain.relayer });
  });

  test('a second transaction for a used authorization moves nothing and is not a use', async () => {
    const { chain, payer, settle } = at();
    const authorization = authorizationOf(payer.address);
    const first = await settle(authorization);
    const again = await settle(authorization);
    expect(again.receipt.use).toBeNull();
    // The token of Circle reverts and that of Paxos succeeds silently, so a status proves nothing.
    expect(again.receipt.status).toBe(rail.token === 'USDC' ? 'reverted' : 'success');
    expect((await chain.findUse(authorization, 0))?.tx).toBe(first.signed.tx);
    expect((await chain.observe(payer.address, authorization.nonce)).balance).toBe(1_000_000_000n - BigInt(VALUE));
  });

  test('a cancelled authorization is used but not paid', async () => {
    const { chain, payer, cancel } = at();
    const authorization = authorizationOf(payer.address);
    await cancel(authorization);
    expect((await chain.observe(payer.address, authorization.nonce)).used).toBe(true);
    expect(await chain.findUse(authorization, 0)).toMatchObject({ paid: false });
  });

  test('a use by another sender is found and counts as paid', async () => {
    const { chain, payer, proxy, settle } = at();
    const authorization = authorizationOf(payer.address);
    const { block } = await chain.observe(payer.address, authorization.nonce);
    const stranger = new EthersChain(rail, [proxy.url], STRANGER_KEY);
    const { signed, receipt } = await settle(authorization, stranger);
    expect(await chain.findUse(authorization, block)).toEqual({ tx: signed.tx, block: receipt.block, paid: true });
  });

  test('a use is found across block ranges up to the limit', async () => {
    const { chain, payer, proxy, dev, settle } = at();
    const authorization = authorizationOf(payer.address);
    const { block } = await chain.observe(payer.address, authorization.nonce);
    for (let idle = 0; idle < 7; idle += 1) await dev.mineEmptyBlocks();
    const { signed } = await settle(authorization);
    const search = (rangesMax: number) =>
      new EthersChain(rail, [proxy.url], DEV_RELAYER_KEY, { search: { rangeBlocks: 3, rangesMax } });
    expect(await search(100).findUse(authorization, block)).toMatchObject({ tx: signed.tx, paid: true });
    expect(await search(2).findUse(authorization, block)).toBeNull();
  });

  test('the state belongs to the named block even if a node lags', async () => {
    const { chain, payer, proxy, settle } = at();
    const folder = makeFolder();
    const lagging = await DevChain.start({ folder, ports: [0, 0] });
    try {
      const authorization = authorizationOf(payer.address);
      await settle(authorization);
      proxy.set({ lagging: lagging.rpc[rail.short]! });
      const observations = [
        chain.observe(payer.address, authorization.nonce),
        chain.observeFinal(payer.address, authorization.nonce),
      ];
      for (const outcome of await Promise.allSettled(observations))
        expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable' } });
    } finally {
      await lagging.stop();
    }
  });

  test('a use is found some blocks before the named one, as after a reorganisation', async () => {
    const { chain, payer, dev, settle } = at();
    const authorization = authorizationOf(payer.address);
    const { signed, receipt } = await settle(authorization);
    for (let idle = 0; idle < 3; idle += 1) await dev.mineEmptyBlocks();
    expect(await chain.findUse(authorization, receipt.block + 3)).toMatchObject({ tx: signed.tx, paid: true });
  });

  test('a node with pruned logs is not trusted while another node has them', async () => {
    const { payer, proxy, dev, settle } = at();
    const authorization = authorizationOf(payer.address);
    const { signed } = await settle(authorization);
    proxy.set({ answer: [] }, { method: 'eth_getLogs' });
    const over = (...urls: string[]) => new EthersChain(rail, urls, DEV_RELAYER_KEY).findUse(authorization, 0);
    expect(await over(proxy.url)).toBeNull();
    expect(await over(proxy.url, dev.rpc[rail.short]!)).toMatchObject({ tx: signed.tx });
    expect(await over('http://127.0.0.1:9', dev.rpc[rail.short]!)).toMatchObject({ tx: signed.tx });
    await expect(over(proxy.url, 'http://127.0.0.1:9')).rejects.toMatchObject({ name: 'Unavailable' });
    proxy.set(
      { refusal: { code: -32_000, message: 'missing trie node: history has been pruned' } },
      { method: 'eth_getLogs' },
    );
    await expect(over(proxy.url)).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('finality follows the safe head or the configured depth', async () => {
    const { payer, proxy, dev, settle } = at();
    const finalBy = (changed: Partial<Rail>) => new EthersChain({ ...rail, ...changed }, [proxy.url], DEV_RELAYER_KEY);
    const authorization = authorizationOf(payer.address);
    const { receipt } = await settle(authorization);
    const { block } = receipt;
    const seen = async (changed: Partial<Rail>) => {
      const chain = finalBy(changed);
      const { used } = await chain.observeFinal(payer.address, authorization.nonce);
      return [(await chain.heads()).final - block, used];
    };
    expect(await seen({ finality: 1 })).toEqual([0, true]);
    expect(await seen({ finality: 3 })).toEqual([-2, false]);
    expect(await seen({ finality: 2, confirmations: 4 })).toEqual([-3, false]);
    // The safe head of the development chain lags by an epoch of 32 slots.
    expect((await seen({ finality: 'safe' }))[1]).toBe(false);
    for (let idle = 0; idle < 32; idle += 1) await dev.mineEmptyBlocks();
    expect(await seen({ finality: 'safe' })).toEqual([0, true]);
    expect(await seen({ finality: 'safe', confirmations: 40 })).toEqual([-7, false]);
  });

  test('addresses of different chains are detected', async () => {
    const { proxy, dev } = at();
    const other = RAILS.find(({ name }) => name !== rail.name)!;
    const agree = (url: string) => new EthersChain(rail, [proxy.url, url], DEV_RELAYER_KEY).addressesAgree();
    await dev.mineEmptyBlocks();
    expect(await agree(dev.rpc[rail.short]!)).toBe(true);
    expect(await agree(dev.rpc[other.short]!)).toBe(false);
  });

  test('a confirmed observation waits for the configured depth', async () => {
    const { payer, proxy, dev, settle } = at();
    const deep = new EthersChain({ ...rail, confirmations: 3 }, [proxy.url], DEV_RELAYER_KEY);
    const authorization = authorizationOf(payer.address);
    const { signed, receipt } = await settle(authorization);
    expect(await deep.observeFinal(payer.address, authorization.nonce)).toMatchObject({ used: false });
    expect(await deep.findUse(authorization, 0)).toBeNull();
    expect(await deep.receipt(signed.tx, authorization)).toMatchObject({ confirmed: false });
    await dev.mineEmptyBlocks();
    await dev.mineEmptyBlocks();
    const seen = await deep.observeFinal(payer.address, authorization.nonce);
    expect(seen).toMatchObject({ used: true, block: receipt.block });
    expect(await deep.receipt(signed.tx, authorization)).toMatchObject({ confirmed: true });
    expect(await deep.findUse(authorization, 0)).toMatchObject({ paid: true });
  });
}
