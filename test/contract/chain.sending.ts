import { expect, test } from '@jest/globals';
import { id, Transaction } from 'ethers';
import { type Rail, TransactionRejected } from '#libs/payments/chain.port.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { transferCall } from '#libs/payments/eip3009.js';
import { EthersChain } from '#libs/payments/ethers.chain.js';
import { type Fault, RpcProxy } from '../doubles/rpc-proxy.js';
import { authorizationOf, nonce, RPC_TIMEOUT_MS, signAs, type ChainBench } from './chain.bench.js';

export function sends(rail: Rail, at: () => ChainBench): void {
  test('a transaction in no block has no receipt yet', async () => {
    const { chain, payer, node } = at();
    await node.call('evm_setAutomine', false);
    const authorization = authorizationOf(payer.address);
    const relayerNonce = await chain.nextRelayerNonce();
    const signed = await chain.sign(
      transferCall(rail, authorization, signAs(payer, rail, authorization)),
      relayerNonce,
    );
    await chain.broadcast(signed.raw);
    expect(await chain.receipt(signed.tx, authorization)).toBeNull();
    expect(await chain.nextRelayerNonce()).toBe(relayerNonce + 1);
    await node.call('evm_mine');
    expect(await chain.receipt(signed.tx, authorization)).toMatchObject({ status: 'success', confirmed: true });
  });

  test('the balance of the relayer is reported as a number of transactions', async () => {
    const { chain, node } = at();
    const before = await node.call('eth_getBalance', chain.relayer, 'latest');
    expect(await chain.transactionsLeft()).toBeGreaterThan(1_000);
    await node.call('anvil_setBalance', chain.relayer, '0x1');
    expect(await chain.transactionsLeft()).toBe(0);
    await node.call('anvil_setBalance', chain.relayer, before);
  });

  test('the estimated gas is raised by a margin, within a limit', async () => {
    const { proxy, settle, authorize } = at();
    const { authorization, signature } = authorize();
    const limit = async (estimate: number) => {
      proxy.clear();
      proxy.set({ answer: `0x${estimate.toString(16)}` }, { method: 'eth_estimateGas' });
      const chain = new EthersChain(rail, [proxy.url], DEV_RELAYER_KEY);
      const { raw } = await chain.sign(transferCall(rail, authorization, signature), 0);
      return Number(Transaction.from(raw).gasLimit);
    };
    expect(await limit(90_000)).toBe(200_000);
    expect(await limit(700_000)).toBe(1_050_000);
    await expect(limit(900_000_000)).rejects.toMatchObject({ name: 'Unavailable' });
    proxy.clear();
    proxy.set('drop-before', { method: 'eth_estimateGas' });
    expect((await settle(authorization)).receipt).toMatchObject({ use: { paid: true } });
  });

  test('sending a known transaction succeeds, whether it is pending or mined', async () => {
    const { chain, node, authorize } = at();
    await node.call('evm_setAutomine', false);
    const { authorization, signature } = authorize();
    const { raw } = await chain.sign(transferCall(rail, authorization, signature), await chain.nextRelayerNonce());
    await chain.broadcast(raw);
    await chain.broadcast(raw);
    await node.call('evm_mine');
    await chain.broadcast(raw);
  });

  test('a broadcast with a lost response fails as unavailable but takes effect', async () => {
    const { chain, proxy, mined, authorize } = at();
    const { authorization, signature } = authorize();
    const signed = await chain.sign(transferCall(rail, authorization, signature), await chain.nextRelayerNonce());
    proxy.set('drop-after', { method: 'eth_sendRawTransaction', times: 1 });
    await expect(chain.broadcast(signed.raw)).rejects.toMatchObject({ name: 'Unavailable' });
    await chain.broadcast(signed.raw);
    expect(await mined(signed.tx, authorization)).toMatchObject({ use: { paid: true } });
  });

  test('a stuck transaction is replaced by one with a higher fee', async () => {
    const { chain, node, authorize } = at();
    await node.call('evm_setAutomine', false);
    const { authorization, signature } = authorize();
    const relayerNonce = await chain.nextRelayerNonce();
    const stuck = await chain.sign(transferCall(rail, authorization, signature), relayerNonce);
    await chain.broadcast(stuck.raw);
    const replacement = await chain.sign(transferCall(rail, authorization, signature), relayerNonce, stuck.fee);
    expect(BigInt(replacement.fee) * 1_000n).toBeGreaterThanOrEqual(BigInt(stuck.fee) * 1_125n);
    await chain.broadcast(replacement.raw);
    await node.call('evm_mine');
    expect(await chain.receipt(replacement.tx, authorization)).toMatchObject({ use: { paid: true } });
    expect(await chain.receipt(stuck.tx, authorization)).toBeNull();
    await expect(chain.broadcast(stuck.raw)).rejects.toBeInstanceOf(TransactionRejected);
  });

  test('a pending first transaction can be given up so that the next ones continue', async () => {
    const { chain, payer, node } = at();
    await node.call('evm_setAutomine', false);
    const [stuck, behind] = [authorizationOf(payer.address), authorizationOf(payer.address)];
    const first = await chain.nextRelayerNonce();
    const cheap = await chain.sign(transferCall(rail, stuck, signAs(payer, rail, stuck)), first);
    const dear = await chain.sign(
      transferCall(rail, stuck, signAs(payer, rail, stuck)),
      first,
      String(BigInt(cheap.fee) * 20n),
    );
    const next = await chain.sign(transferCall(rail, behind, signAs(payer, rail, behind)), first + 1);
    for (const { raw } of [dear, next]) await chain.broadcast(raw);
    expect([await chain.minedRelayerNonce(), await chain.nextRelayerNonce()]).toEqual([first, first + 2]);
    await chain.clearNonce(first);
    await node.call('evm_mine');
    expect(await chain.minedRelayerNonce()).toBe(first + 2);
    expect(await chain.receipt(dear.tx, stuck)).toBeNull();
    expect(await chain.receipt(next.tx, behind)).toMatchObject({ use: { paid: true } });
    await chain.clearNonce(first);
  });

  test('a refusal by the node is final and has its message', async () => {
    const { chain, proxy, settle, authorize } = at();
    const { authorization, signature } = authorize();
    await settle(authorization);
    const late = await chain.sign(transferCall(rail, authorization, signature), 0);
    await expect(chain.broadcast(late.raw)).rejects.toMatchObject({ message: 'nonce too low' });
    const poor = new EthersChain(rail, [proxy.url], id('an empty account'));
    const { raw } = await poor.sign(transferCall(rail, authorization, signature), 0);
    await expect(poor.broadcast(raw)).rejects.toThrow(/insufficient funds/i);
  });

  test.each<[string, Fault]>([
    ['a closed connection', 'refuse'],
    ['a dropped request', 'drop-before'],
    ['a dropped response', 'drop-after'],
    ['a timeout', { delayMs: RPC_TIMEOUT_MS * 3 }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['a response that is not JSON', 'garbage'],
    ['a temporary refusal', { refusal: { code: -32_005, message: 'limit exceeded' } }],
  ])('%s is an outage and not a final result', async (_name, fault) => {
    const { chain, payer, proxy, authorize } = at();
    const { authorization, signature } = authorize();
    const { raw, tx } = await chain.sign(transferCall(rail, authorization, signature), await chain.nextRelayerNonce());
    const fresh = new EthersChain(rail, [proxy.url], DEV_RELAYER_KEY, { rpcTimeoutMs: RPC_TIMEOUT_MS });
    proxy.set(fault);
    const observations = [
      fresh.observe(payer.address, authorization.nonce),
      fresh.observeFinal(payer.address, authorization.nonce),
      fresh.findUse(authorization, 0),
      fresh.simulate(transferCall(rail, authorization, signature)),
      fresh.nextRelayerNonce(),
      fresh.transactionsLeft(),
      fresh.minedRelayerNonce(),
      fresh.clearNonce(0),
      fresh.sign(transferCall(rail, authorization, signature), 0),
      fresh.broadcast(raw),
      fresh.receipt(tx, authorization),
      fresh.domainSeparator(),
      fresh.addressesAgree(),
    ];
    for (const outcome of await Promise.allSettled(observations)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'Unavailable' } });
    }
  });

  test('the next address is used if the first one fails', async () => {
    const { payer, proxy, dev } = at();
    const broken = await RpcProxy.start(dev.rpc[rail.short]!);
    broken.set({ status: 429 });
    const both = new EthersChain(rail, [broken.url, proxy.url], DEV_RELAYER_KEY);
    expect(await both.observe(payer.address, nonce())).toMatchObject({ used: false });
    expect(broken.seen).toHaveLength(1);
    // Giving up a payment must ask all addresses.
    await expect(both.observeFinal(payer.address, nonce())).rejects.toMatchObject({ name: 'Unavailable' });
    await broken.stop();
  });
}
