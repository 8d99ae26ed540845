import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { identity } from '#libs/features/identity/identity.js';
import { IdentitySettings } from '#libs/features/identity/issued-email.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { Authorization } from '#libs/kernel/event.js';
import { deriveAgentId } from '#libs/kernel/ids.js';
import { commandContext, asEvents, given } from '../../given.js';
import { refusalOf } from '../in-memory-stores.js';
import { deciding, effectOf, running } from './deciding.js';
import { KEY, Reception } from './identity.js';
import { PAYER, SETTINGS, settled, FakePayments } from './purchases.js';
import * as world from './worlds.js';

const MUSE = deriveAgentId(KEY);
const holder = { museId: MUSE, email: 'ada-1234@mail.invalid', referredBy: world.WORKER };
const sent = { public_key: KEY, name: 'Ada', headline: 'Counts', wallet: PAYER };
const payment = settled({ muse_id: MUSE, fields: { ...sent }, subject: { ...holder, created: true } });
const authorization = { mode: 'signature', public_key: KEY } as Authorization;
const context = commandContext(MUSE, { requestKey: 'payment/1', authorization });
const registered = world.told('Registered', { muse_id: MUSE, public_key: KEY });
const joined = world.told('Joined', { muse_id: MUSE });

describe('a new identity', () => {
  const { first, effect } = identity.sale!;
  const begin = (muse: Muse) => [...first!.decide(muse, payment, deciding(MUSE), {})];
  const verify = (muse: Muse) => [...effect.decide(muse, payment, deciding(MUSE), {})];

  test('registers and joins in one step', () => {
    const facts = given(Muse).when(begin).thenTypes('Registered', 'Joined');
    expect(facts[0]!.data).toMatchObject({ muse_id: MUSE, public_key: KEY, name: 'Ada', referred_by: world.WORKER });
    expect(facts[1]!.data).toMatchObject({ muse_id: MUSE, referred_by: world.WORKER });
  });

  test('is not registered twice', () => {
    given(Muse, registered).when(begin).thenNothing();
    given(Muse, registered, joined).when(begin).thenNothing();
  });

  test('is verified with the wallet that paid', () => {
    const [fact] = given(Muse, registered, joined).when(verify).thenTypes('Verified');
    expect(fact!.data).toMatchObject({ muse_id: MUSE, wallet: PAYER, rebind: false });
  });

  test('joins too if it was only registered', () => {
    given(Muse, registered).when(verify).thenTypes('Joined', 'Verified');
  });

  test('is not verified if it does not exist', () => {
    given(Muse).when(verify).thenNothing();
  });
});

describe('the paid effect', () => {
  test('makes one identity and returns the same response if it runs twice', async () => {
    const stores = new Reception();
    const effect = effectOf(identity, stores);
    expect(await effect.apply(payment, context)).toEqual({ outcome: 'applied' });
    const first = await effect.answer(payment, context);
    expect(await effect.apply(payment, context)).toEqual({ outcome: 'applied' });
    expect(await effect.answer(payment, context)).toEqual(first);
    expect(first.body).toEqual({ muse_id: MUSE, created: true, verified: true, wallet: PAYER });
    expect(stores.types(Muse.streamName(MUSE))).toEqual(['Registered', 'Joined', 'Verified']);
  });

  test('completes after a crash between its two steps', async () => {
    const stores = new Reception();
    const effect = effectOf(identity, stores);
    stores.log.faults.plan('append', null, 'lost');
    await expect(effect.apply(payment, context)).rejects.toMatchObject({ name: 'Unavailable' });
    expect(stores.types(Muse.streamName(MUSE))).toEqual(['Registered', 'Joined']);
    await effect.apply(payment, context);
    expect(stores.types(Muse.streamName(MUSE))).toEqual(['Registered', 'Joined', 'Verified']);
  });

  test('verifies an identity that registered with the key before the effect', async () => {
    const stores = new Reception();
    await stores.register();
    await effectOf(identity, stores).apply(payment, context);
    expect(stores.types(Muse.streamName(MUSE))).toEqual(['Registered', 'Joined', 'Verified']);
  });

  test('is void if its request was erased', async () => {
    const stores = new Reception();
    const erased = settled({ muse_id: MUSE, fields: null, subject: null });
    const outcome = await effectOf(identity, stores).apply(erased, context);
    expect(outcome).toEqual({ outcome: 'void', reason: 'forgotten', basedOn: {} });
    expect(stores.log.events).toEqual([]);
  });
});

describe('the purchase of an identity', () => {
  function counter() {
    const stores = new Reception();
    const fake = new FakePayments();
    const uses = {
      journal: stores.journal,
      claims: stores.claims,
      settings: SETTINGS,
      identity: new IdentitySettings('mail.invalid'),
    };
    const run = running(identity, stores, uses, fake);
    const identify = (changed: RequestFields = {}) =>
      run({ ...sent, ...changed }, stores.request('', { requestKey: `key/${KEY}` }));
    const write = (...facts: ReturnType<typeof world.told>[]) =>
      stores.journal.append(Muse.streamName(MUSE), 'none', asEvents(facts, Muse.streamName(MUSE)));
    return { stores, fake, identify, write };
  }

  test('claims the key, the name and the wallet of a new identity', async () => {
    const { fake, identify } = counter();
    await identify();
    expect(fake.asked[0]).toMatchObject({ context: { actor: MUSE } });
    expect(fake.sold[0]).toMatchObject({ owner: Muse.streamName(MUSE), wallet: PAYER, amount: 1_000_000n });
    expect(fake.sold[0]!.things).toEqual([
      { kind: 'purchase', value: `identity/${KEY}` },
      { kind: 'key', value: KEY },
      { kind: 'name', value: 'ada' },
      { kind: 'wallet', value: PAYER },
    ]);
    expect(fake.sold[0]!.subject).toMatchObject({ museId: MUSE, created: true, referredBy: null });
  });

  test('claims the verification and the wallet of an unverified identity', async () => {
    const { fake, identify, write } = counter();
    await write(registered);
    await identify({ name: 'Somebody else' });
    expect(fake.sold[0]!.things).toEqual([
      { kind: 'purchase', value: `identity/${KEY}` },
      { kind: 'purchase', value: `verify/${MUSE}`, scope: Muse.streamName(MUSE) },
      { kind: 'wallet', value: PAYER },
    ]);
    expect(fake.sold[0]!.subject).toMatchObject({ created: false });
  });

  test('costs nothing for a verified identity', async () => {
    const { fake, identify, write } = counter();
    await write(registered, joined, world.told('Verified', { muse_id: MUSE, wallet: PAYER }));
    const { body } = await identify();
    expect(body).toMatchObject({ muse_id: MUSE, created: false, verified: true, paid: false, payment: null });
    expect(fake.sold).toEqual([]);
  });

  test('a registered key learns which name and headline it keeps', async () => {
    const { identify, write } = counter();
    await write(registered, joined, world.told('Verified', { muse_id: MUSE, wallet: PAYER }));
    const other = { name: 'Somebody else', headline: 'Does other things' };
    const { body } = await identify(other);
    expect(Object.keys(body['adjusted'] as object)).toEqual(['name', 'headline']);
    const { name, headline } = body['adjusted'] as { readonly name: string; readonly headline: string };
    expect((await identify({ name, headline })).body).not.toHaveProperty('adjusted');
  });

  test('the purchase of an identity refuses a taken name before payment', async () => {
    const { stores, fake, identify } = counter();
    await stores.quickstart({ name: 'ADA' });
    expect(await refusalOf(identify())).toMatchObject({ code: 'name_taken', details: { field: 'name' } });
    expect(await refusalOf(identify({ name: 'The House' }))).toMatchObject({ code: 'name_taken' });
    expect(fake.sold).toEqual([]);
  });

  test('the purchase of an identity refuses a taken key before payment', async () => {
    const { stores, fake, identify } = counter();
    const claimant = { owner: Muse.streamName(world.WORKER), finishes: { event: 'an event' } };
    await stores.claims.acquire({ kind: 'key', value: KEY }, claimant, stores.request(world.WORKER));
    expect(await refusalOf(identify())).toMatchObject({ code: 'key_taken', details: { field: 'public_key' } });
    expect(fake.sold).toEqual([]);
  });

  test('the purchase of an identity uses the next derived id if the first id is taken', async () => {
    const { fake, identify, write } = counter();
    await write(world.told('Registered', { muse_id: MUSE, public_key: 'B'.repeat(43) }));
    await identify();
    expect(fake.asked[0]).toMatchObject({ context: { actor: deriveAgentId(KEY, 1) } });
  });
});
