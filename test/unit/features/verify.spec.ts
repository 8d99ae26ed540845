import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { verify as verifyCommand } from '#libs/features/verification/verify.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { commandContext, asEvents, given } from '../../given.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { deciding, effectOf, running } from './deciding.js';
import { PAYER, SETTINGS, settled, FakePayments } from './purchases.js';
import * as world from './worlds.js';

const { POSTER, WORKER } = world;
const OTHER_WALLET = `0x${'ab'.repeat(20)}`;
const payment = settled({ muse_id: WORKER });
const registered = world.told('Registered', { muse_id: WORKER, referred_by: POSTER });
const joined = world.told('Joined', { muse_id: WORKER, referred_by: POSTER });
const verified = (wallet = PAYER) => world.told('Verified', { wallet });

async function storesWith(...facts: Fact[]) {
  const stores = new InMemoryStores();
  const stream = Muse.streamName(WORKER);
  if (facts.length > 0) await stores.journal.append(stream, 'none', asEvents(facts, stream));
  const fake = new FakePayments();
  const run = running(verifyCommand, stores, { journal: stores.journal, settings: SETTINGS }, fake);
  const verify = (changed: RequestFields = {}) => run({ wallet: PAYER, ...changed }, stores.request(WORKER));
  return { stores, fake, verify };
}

describe('binding a wallet', () => {
  const bind = (muse: Muse) => [...verifyCommand.sale!.effect.decide(muse, payment, deciding(WORKER), {})];

  test('binds the paying wallet and records its payment', () => {
    const [fact] = given(Muse, registered, joined).when(bind).thenTypes('Verified');
    const shown = { rail: 'usdc-base', network: 'base', tx: payment.tx, block: 41 };
    expect(fact!.data).toMatchObject({ muse_id: WORKER, wallet: PAYER, rebind: false, referred_by: POSTER, ...shown });
  });

  test('records a rebind when another wallet was bound', () => {
    const [fact] = given(Muse, registered, joined, verified(OTHER_WALLET)).when(bind).thenTypes('Verified');
    expect(fact!.data).toMatchObject({ wallet: PAYER, rebind: true });
  });

  test('does not bind a wallet to an unknown muse', () => {
    given(Muse).when(bind).thenNothing();
  });
});

describe('the effect of a verification payment', () => {
  const context = commandContext(WORKER, { requestKey: 'payment/1' });

  test('binds once and returns the same response when it is applied twice', async () => {
    const { stores } = await storesWith(registered, joined);
    const effect = effectOf(verifyCommand, stores, { journal: stores.journal });
    expect(await effect.apply(payment, context)).toEqual({ outcome: 'applied' });
    const first = await effect.answer(payment, context);
    expect(await effect.apply(payment, context)).toEqual({ outcome: 'applied' });
    expect(await effect.answer(payment, context)).toEqual(first);
    expect(first.body).toMatchObject({ verified: true, wallet: PAYER, network: 'base', tx: payment.tx });
    expect(stores.types(Muse.streamName(WORKER))).toEqual(['Registered', 'Joined', 'Verified']);
  });

  test('returns the wallet of its own payment after a later rebind', async () => {
    const { stores } = await storesWith(registered, joined);
    const effect = effectOf(verifyCommand, stores, { journal: stores.journal });
    await effect.apply(payment, context);
    const first = await effect.answer(payment, context);
    const later = settled({ muse_id: WORKER, payer: OTHER_WALLET });
    await effect.apply(later, commandContext(WORKER, { requestKey: 'payment/2' }));
    expect(await effect.answer(payment, context)).toEqual(first);
  });

  test('is void for a forgotten muse', async () => {
    const { stores } = await storesWith();
    expect(await effectOf(verifyCommand, stores).apply(payment, context)).toMatchObject({
      outcome: 'void',
      reason: 'forgotten',
    });
  });
});

describe('a key that is replaced while its payment is pending', () => {
  const OLD = 'A'.repeat(43);
  const byKey = world.told('Registered', { muse_id: WORKER, public_key: OLD });
  const replaced = world.told('KeyBound', { muse_id: WORKER, public_key: 'B'.repeat(43), replaces: OLD });
  const allowed = (authorization: object, based_on: object = {}) => ({
    ...payment,
    accepted: { ...payment.accepted, based_on, authorization: { ...payment.accepted.authorization, ...authorization } },
  });
  const bound = async (paid: object, ...facts: Fact[]) => {
    const { stores } = await storesWith(byKey, joined, ...facts);
    return effectOf(verifyCommand, stores).apply(
      paid as typeof payment,
      commandContext(WORKER, { requestKey: 'payment/1' }),
    );
  };
  const isVoid = { outcome: 'void', reason: 'key_changed' };

  test('binds no wallet through its signature or its token', async () => {
    expect(await bound(allowed({ mode: 'signature', public_key: OLD }))).toEqual({ outcome: 'applied' });
    expect(await bound(allowed({ mode: 'signature', public_key: OLD }), replaced)).toMatchObject(isVoid);
    const before = { [Muse.streamName(WORKER)]: 1 };
    expect(await bound(allowed({ mode: 'bearer' }, before), replaced)).toMatchObject(isVoid);
    expect(await bound(allowed({ mode: 'bearer' }, { [Muse.streamName(WORKER)]: 2 }), replaced)).toEqual({
      outcome: 'applied',
    });
  });
});

test('binds no wallet for a muse that was linked before the payment settled', async () => {
  const linked = world.told('Linked', { muse_id: WORKER, to: 'agent_later00000' });
  const { stores } = await storesWith(registered, joined, linked);
  const effect = effectOf(verifyCommand, stores, { journal: stores.journal });
  const applied = await effect.apply(payment, commandContext(WORKER, { requestKey: 'payment/1' }));
  expect(applied).toMatchObject({ outcome: 'void', reason: 'linked' });
  expect(await effect.isOvertaken(payment.accepted)).toBe(true);
});

describe('the price of a verification', () => {
  test('is 1 USD on every rail and is paid by the wallet to bind', async () => {
    const { fake, verify } = await storesWith(registered, joined);
    await verify({ wallet: OTHER_WALLET.toUpperCase().replace('0X', '0x') });
    const [sold] = fake.sold;
    expect(sold).toMatchObject({ path: '/api/verify', amount: 1_000_000n, payTo: SETTINGS.serviceWallet });
    expect(sold!.rails).toEqual(SETTINGS.rails);
    expect(sold!.wallet!.toLowerCase()).toBe(OTHER_WALLET);
    expect(sold!.things).toEqual([
      { kind: 'purchase', value: `verify/${WORKER}`, scope: `muse-${WORKER}` },
      { kind: 'wallet', value: OTHER_WALLET },
    ]);
  });

  test('is not charged to a muse that has not joined', async () => {
    const { fake, verify } = await storesWith(registered);
    expect(await refusalOf(verify())).toMatchObject({ code: 'join_first' });
    expect(fake.sold).toEqual([]);
  });

  test('is not charged to a verified muse, whatever wallet the request names', async () => {
    const { fake, verify } = await storesWith(registered, joined, verified());
    const free = { verified: true, wallet: PAYER, network: 'base', paid: false, payment: null };
    const requests: RequestFields[] = [{}, { wallet: OTHER_WALLET }, { wallet: OTHER_WALLET, rebind: 'false' }];
    for (const changed of requests) expect((await verify(changed)).body).toMatchObject(free);
    expect(fake.sold).toEqual([]);
  });

  test('is not charged for a rebind to the bound wallet in another letter case', async () => {
    const { fake, verify } = await storesWith(registered, joined, verified(OTHER_WALLET));
    const wallet = OTHER_WALLET.replaceAll('ab', 'aB');
    expect((await verify({ wallet, rebind: 'true' })).body).toMatchObject({ paid: false, wallet: OTHER_WALLET });
    expect(fake.sold).toEqual([]);
  });

  test('is charged for a rebind to another wallet', async () => {
    const { fake, verify } = await storesWith(registered, joined, verified());
    await verify({ wallet: OTHER_WALLET, rebind: 'true' });
    expect(fake.sold).toMatchObject([{ wallet: OTHER_WALLET, amount: 1_000_000n }]);
  });
});
