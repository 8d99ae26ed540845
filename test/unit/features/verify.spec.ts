import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { verify as verifyVerb } from '#libs/features/verification/verify.js';
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
  const run = running(verifyVerb, stores, { journal: stores.journal, settings: SETTINGS }, fake);
  const verify = (changed: RequestFields = {}) => run({ wallet: PAYER, ...changed }, stores.request(WORKER));
  return { stores, fake, verify };
}

describe('binding a wallet', () => {
  const bind = (muse: Muse) => [...verifyVerb.sale!.deed.decide(muse, payment, deciding(WORKER))];

  test('binds the one that paid, with the payment that shows it', () => {
    const [fact] = given(Muse, registered, joined).when(bind).thenTypes('Verified');
    const shown = { rail: 'usdc-base', network: 'base', tx: payment.tx, block: 41 };
    expect(fact!.data).toMatchObject({ muse_id: WORKER, wallet: PAYER, rebind: false, referred_by: POSTER, ...shown });
  });

  test('after another one is a rebind', () => {
    const [fact] = given(Muse, registered, joined, verified(OTHER_WALLET)).when(bind).thenTypes('Verified');
    expect(fact!.data).toMatchObject({ wallet: PAYER, rebind: true });
  });

  test('binds nothing to a muse that there is not', () => {
    given(Muse).when(bind).thenNothing();
  });
});

describe('the effect', () => {
  const context = commandContext(WORKER, { requestKey: 'payment/1' });

  test('applied twice binds once and answers the same', async () => {
    const { stores } = await storesWith(registered, joined);
    const effect = effectOf(verifyVerb, stores, { journal: stores.journal });
    expect(await effect.apply(payment, context)).toEqual({ outcome: 'applied' });
    const first = await effect.answer(payment, context);
    expect(await effect.apply(payment, context)).toEqual({ outcome: 'applied' });
    expect(await effect.answer(payment, context)).toEqual(first);
    expect(first.body).toMatchObject({ verified: true, wallet: PAYER, network: 'base', tx: payment.tx });
    expect(stores.types(Muse.streamName(WORKER))).toEqual(['Registered', 'Joined', 'Verified']);
  });

  test('answers what its payment bound, also once another wallet was bound', async () => {
    const { stores } = await storesWith(registered, joined);
    const effect = effectOf(verifyVerb, stores, { journal: stores.journal });
    await effect.apply(payment, context);
    const first = await effect.answer(payment, context);
    const later = settled({ muse_id: WORKER, payer: OTHER_WALLET });
    await effect.apply(later, commandContext(WORKER, { requestKey: 'payment/2' }));
    expect(await effect.answer(payment, context)).toEqual(first);
  });

  test('of a muse that is gone is void', async () => {
    const { stores } = await storesWith();
    expect(await effectOf(verifyVerb, stores).apply(payment, context)).toEqual({
      outcome: 'void',
      reason: 'forgotten',
    });
  });
});

describe('a key that is replaced while its payment is under way', () => {
  const OLD = 'A'.repeat(43);
  const byKey = world.told('Registered', { muse_id: WORKER, public_key: OLD });
  const replaced = world.told('KeyBound', { muse_id: WORKER, public_key: 'B'.repeat(43), replaces: OLD });
  const allowed = (authorization: object, based_on: object = {}) => ({
    ...payment,
    accepted: { ...payment.accepted, based_on, authorization: { ...payment.accepted.authorization, ...authorization } },
  });
  const bound = async (paid: object, ...facts: Fact[]) => {
    const { stores } = await storesWith(byKey, joined, ...facts);
    return effectOf(verifyVerb, stores).apply(
      paid as typeof payment,
      commandContext(WORKER, { requestKey: 'payment/1' }),
    );
  };
  const isVoid = { outcome: 'void', reason: 'key_changed' };

  test('binds no wallet any more, whether it had signed or issued the token', async () => {
    expect(await bound(allowed({ mode: 'signature', public_key: OLD }))).toEqual({ outcome: 'applied' });
    expect(await bound(allowed({ mode: 'signature', public_key: OLD }), replaced)).toEqual(isVoid);
    const before = { [Muse.streamName(WORKER)]: 1 };
    expect(await bound(allowed({ mode: 'bearer' }, before), replaced)).toEqual(isVoid);
    expect(await bound(allowed({ mode: 'bearer' }, { [Muse.streamName(WORKER)]: 2 }), replaced)).toEqual({
      outcome: 'applied',
    });
  });
});

test('who counts for another by the time it is paid for binds no wallet, so that the other can', async () => {
  const linked = world.told('Linked', { muse_id: WORKER, to: 'agent_later00000' });
  const { stores } = await storesWith(registered, joined, linked);
  const effect = effectOf(verifyVerb, stores, { journal: stores.journal });
  const applied = await effect.apply(payment, commandContext(WORKER, { requestKey: 'payment/1' }));
  expect(applied).toEqual({ outcome: 'void', reason: 'linked' });
  expect(await effect.isOvertaken(payment.accepted)).toBe(true);
});

describe('what is sold', () => {
  test('a verification costs 1 USD on every rail, from the wallet that it binds', async () => {
    const { fake, verify } = await storesWith(registered, joined);
    await verify({ wallet: OTHER_WALLET.toUpperCase().replace('0X', '0x') });
    const [sold] = fake.sold;
    expect(sold).toMatchObject({ path: '/api/verify', amount: 1_000_000n, payTo: SETTINGS.serviceWallet });
    expect(sold!.rails).toEqual(SETTINGS.rails);
    expect(sold!.wallet!.toLowerCase()).toBe(OTHER_WALLET);
    expect(sold!.things).toEqual([
      { kind: 'purchase', value: `verify/${WORKER}` },
      { kind: 'wallet', value: OTHER_WALLET },
    ]);
  });

  test('who has not joined is not verified', async () => {
    for (const facts of [[], [registered]]) {
      const { fake, verify } = await storesWith(...facts);
      expect(await refusalOf(verify())).toMatchObject({ code: 'join_first' });
      expect(fake.sold).toEqual([]);
    }
  });

  test('who is verified is told so for nothing, whatever wallet the request names', async () => {
    const { fake, verify } = await storesWith(registered, joined, verified());
    const free = { verified: true, wallet: PAYER, network: 'base', paid: false, payment: null };
    const asked: RequestFields[] = [{}, { wallet: OTHER_WALLET }, { wallet: OTHER_WALLET, rebind: 'false' }];
    for (const changed of asked) expect((await verify(changed)).body).toMatchObject(free);
    expect(fake.sold).toEqual([]);
  });

  test('a rebind to the wallet that is bound is free, in whatever case it is written', async () => {
    const { fake, verify } = await storesWith(registered, joined, verified(OTHER_WALLET));
    const wallet = OTHER_WALLET.replaceAll('ab', 'aB');
    expect((await verify({ wallet, rebind: 'true' })).body).toMatchObject({ paid: false, wallet: OTHER_WALLET });
    expect(fake.sold).toEqual([]);
  });

  test('a rebind to another wallet is paid like the first', async () => {
    const { fake, verify } = await storesWith(registered, joined, verified());
    await verify({ wallet: OTHER_WALLET, rebind: 'true' });
    expect(fake.sold).toMatchObject([{ wallet: OTHER_WALLET, amount: 1_000_000n }]);
  });
});
