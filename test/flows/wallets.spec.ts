import { describe, expect, test } from '@jest/globals';
import { type BaseWallet, Wallet } from 'ethers';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { RawAgent, Reply } from '../raw-agent.js';
import { PURCHASES } from '../purchases.js';
import { PurchaseFixture } from '../purchase-fixture.js';
import { useFaultyWorld } from '../faulty-rpc.js';

const RAIL = 'usdc-base';
const TIMING = { waitMs: 3_000, pollMs: 10, pollMsMax: 50, watchMs: 10 * MINUTE_MS };
const { world, faultyRpc } = useFaultyWorld(TIMING);

const failed = (status: number, code: string) => ({ status, body: { ok: false, code } });
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();
const sent = async (wallet: BaseWallet) => (await world.token(RAIL).transfers(wallet.address)).length;

/** Prepares a verification of a muse with another wallet. */
async function verifying(agent: RawAgent, wallet: BaseWallet, more = {}): Promise<PurchaseFixture> {
  return new PurchaseFixture(world, {
    endpoint: 'verify',
    agent,
    wallet,
    fields: { wallet: wallet.address, ...more },
    rail: RAIL,
  });
}

let named = 0;
const newMuse = () => world.raw(`muse ${(named += 1)}`);

async function newWallet(): Promise<BaseWallet> {
  const wallet = Wallet.createRandom();
  await world.fund(wallet.address);
  return wallet;
}

async function verifiedMuse() {
  const purchase = await PURCHASES['verify']!(world, RAIL);
  expect(await purchase.buy()).toMatchObject({ status: 200 });
  return purchase;
}

describe('a verified muse', () => {
  test('is not charged by a payment with a free response', async () => {
    const purchase = await PURCHASES['verify']!(world, RAIL);
    const spare = await purchase.sign();
    expect(await purchase.buy()).toMatchObject({ status: 200 });
    expect(await purchase.pay(spare)).toMatchObject({ status: 200, body: { paid: false, payment: null } });
    expect(await sent(purchase.terms.wallet)).toBe(1);
  });

  test('pays again for another wallet, which frees the old one', async () => {
    const { terms } = await verifiedMuse();
    const next = await newWallet();
    const rebinding = await verifying(terms.agent, next, { rebind: 'true' });
    expect(await rebinding.offer()).toMatchObject({ status: 402 });
    const rebound = await rebinding.buy();
    expect(rebound).toMatchObject({ status: 200, body: { wallet: next.address, paid: true } });
    const claims = await world.reader().credential({ muse: terms.agent.museId });
    expect(claims).toMatchObject({ verified: true, wallet: next.address, tx: rebound.body['tx'] });

    const other = await verifying(await newMuse(), terms.wallet);
    expect(await other.buy()).toMatchObject({ status: 200, body: { wallet: terms.wallet.address } });
    const back = await verifying(terms.agent, terms.wallet, { rebind: 'true' });
    expect(await back.offer()).toMatchObject(failed(409, 'wallet_taken'));
    expect([await sent(terms.wallet), await sent(next)]).toEqual([2, 1]);
  });
});

describe('a wallet', () => {
  test('that belongs to another muse is refused before a price is named', async () => {
    const { wallet } = (await verifiedMuse()).terms;
    const muse = await newMuse();
    const other = await verifying(muse, wallet);
    for (const named of [wallet.address, wallet.address.toLowerCase()]) {
      const refused = await other.send(other.body({ wallet: named }));
      expect(refused).toMatchObject(failed(409, 'wallet_taken'));
      expect(refused.headers.get('payment-required')).toBeNull();
    }
    const identity = await PURCHASES['identity']!(world, RAIL);
    expect(await identity.send(identity.body({ wallet: wallet.address }))).toMatchObject(failed(409, 'wallet_taken'));
  });

  test('that several muses pay for at the same time goes to one, which alone is charged', async () => {
    const wallet = await newWallet();
    const muses = await Promise.all([newMuse(), newMuse(), newMuse()]);
    const tills = await Promise.all(muses.map(muse => verifying(muse, wallet)));
    const payments = await Promise.all(tills.map(purchase => purchase.sign()));
    const replies = await Promise.all(tills.map((purchase, at) => purchase.pay(payments[at]!)));
    expect(statuses(replies)).toEqual([200, 409, 409]);
    for (const { status, body } of replies.filter(({ status }) => status === 409))
      expect([status, ['wallet_taken', 'settlement_pending'].includes(body['code'] as string)]).toEqual([409, true]);
    const again = await Promise.all(tills.map((purchase, at) => purchase.pay(payments[at]!)));
    expect(statuses(again)).toEqual([200, 409, 409]);
    for (const { body } of again.filter(({ status }) => status === 409)) expect(body['code']).toBe('wallet_taken');
    expect(await sent(wallet)).toBe(1);
    const holders = await Promise.all(muses.map(({ museId }) => world.reader().credential({ muse: museId })));
    expect(holders.filter(({ verified }) => verified)).toHaveLength(1);
  });

  test('with a pending payment blocks other muses, first as pending and then as taken', async () => {
    const purchase = await PURCHASES['verify']!(world, RAIL);
    const other = await verifying(await newMuse(), purchase.terms.wallet);
    const theirs = await other.sign();
    faultyRpc.of(RAIL).set('drop-before', { method: 'eth_getTransactionReceipt' });
    const waiting = purchase.buy();
    let refused = await other.offer();
    for (let tries = 0; refused.status === 402 && tries < 200; tries += 1) refused = await other.offer();
    expect(refused).toMatchObject(failed(409, 'settlement_pending'));
    expect(await other.pay(theirs)).toMatchObject(failed(409, 'settlement_pending'));
    faultyRpc.mend();
    expect(await waiting).toMatchObject({ status: 200 });
    expect(await other.pay(theirs)).toMatchObject(failed(409, 'wallet_taken'));
    expect(await sent(purchase.terms.wallet)).toBe(1);
  });
});
