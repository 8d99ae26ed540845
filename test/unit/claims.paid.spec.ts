import { describe, expect, test } from '@jest/globals';
import type { ClaimSubject } from '#libs/claims/claim-streams.js';
import { Claims, UNFINISHED_CLAIM_MS } from '#libs/claims/claims.js';
import { Muse } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import type { Fact } from '#libs/kernel/event.js';
import { asEvents } from '../given.js';
import { InMemoryStores } from './in-memory-stores.js';
import { registered, told } from './features/worlds.js';

const ONE = 'agent_one0000000';
const TWO = 'agent_two0000000';
const byAnEvent = { owner: Muse.streamName(TWO), finishes: { event: 'an event' } };

const write = (stores: InMemoryStores, stream: string, ...facts: Fact[]) =>
  stores.journal.append(
    stream,
    'any',
    asEvents(facts, stream).map((event, n) => ({ ...event, id: `${stream}-${n}` })),
  );

const PAYMENT = (told('PaymentAccepted').data as { payment: string }).payment;
const scope = Muse.streamName(ONE);
const SCOPES: readonly [Pick<ClaimSubject, 'scope'>][] = [[{}], [{ scope }]];

describe.each(SCOPES)('a claim finished by a payment (%j)', ofMuse => {
  const purchase: ClaimSubject = { kind: 'purchase', value: `job/1`, ...ofMuse };
  const request: ClaimSubject = { kind: 'request', value: 'nonce/1', ...ofMuse };
  const key: ClaimSubject = { kind: 'key', value: 'A'.repeat(43) };

  async function paidFor(thing: ClaimSubject, ...facts: Fact[]) {
    const stores = new InMemoryStores();
    await write(stores, Payment.streamName(PAYMENT), told('PaymentAccepted'), ...facts);
    const claimant = { owner: Muse.streamName(ONE), finishes: { payment: PAYMENT } };
    await stores.claims.acquire(thing, claimant, stores.request(ONE));
    stores.clock.advance(1_000 * UNFINISHED_CLAIM_MS);
    return stores;
  }

  const ends = ['PaymentRefused', 'PaymentExpired'];

  test.each([[], ['PaymentSubmitted'], ['PaymentSubmitted', 'PaymentSettled']])(
    'holds while the payment is open (%s %s)',
    async (...types) => {
      const facts = types.map(type => told(type));
      for (const thing of [purchase, request, key]) {
        expect(await (await paidFor(thing, ...facts)).claims.findValid(thing, null)).not.toBeNull();
      }
    },
  );

  test.each(ends)('is free after %s, which charged nothing, and its owner is not fenced', async end => {
    for (const thing of [purchase, request, key]) {
      const stores = await paidFor(thing, told(end));
      expect(await stores.claims.findValid(thing, null)).toBeNull();
      expect(await stores.claims.acquire(thing, byAnEvent, stores.request(TWO))).toBeNull();
      expect(stores.types(Muse.streamName(ONE))).toEqual([]);
    }
  });

  test('holds after settlement for a request, but not for a purchase or a key', async () => {
    const done = [told('PaymentSettled'), told('PaymentApplied')];
    expect(await (await paidFor(request, ...done)).claims.findValid(request, null)).not.toBeNull();
    expect(await (await paidFor(purchase, ...done)).claims.findValid(purchase, null)).toBeNull();
    const stores = await paidFor(key, ...done);
    expect(await stores.claims.findValid(key, null)).toBeNull();
    await write(stores, Muse.streamName(ONE), {
      ...registered,
      data: { ...(registered.data as object), public_key: key.value },
    });
    expect(await stores.claims.findValid(key, null)).not.toBeNull();
  });

  test('is returned as the last claim after it ended', async () => {
    const stores = await paidFor(purchase, told('PaymentRefused'));
    expect(await stores.claims.findLast(purchase)).toMatchObject({ data: { payment: PAYMENT } });
    expect(await stores.claims.findLast(key)).toBeNull();
  });
});

describe('the claims that only one muse can make', () => {
  const purchase = (value: string): ClaimSubject => ({ kind: 'purchase', value, scope });
  const request = (value: string): ClaimSubject => ({ kind: 'request', value, scope });
  const paying = (payment: string) => ({ owner: scope, finishes: { payment } });

  async function accepted(...payments: string[]) {
    const stores = new InMemoryStores();
    for (const payment of payments) await write(stores, Payment.streamName(payment), told('PaymentAccepted'));
    return stores;
  }

  test('are one append for a payment, which a repetition finds', async () => {
    const stores = await accepted('one');
    const subjects = [purchase('job/1'), request('nonce/1'), request('key/1')];
    const acquire = () => stores.claims.acquireAll(subjects, paying('one'), stores.request(ONE));
    expect([await acquire(), await acquire()]).toEqual([null, null]);
    const stream = stores.streams.of(subjects[0]!);
    expect([stream.split('-').slice(0, 2), stores.types(stream)]).toEqual([['claim', 'muse'], ['Claimed']]);
    expect(JSON.stringify(await stores.journal.read(stream))).not.toMatch(/nonce|job/);
    for (const subject of subjects)
      expect(await stores.claims.findLast(subject)).toMatchObject({ data: { payment: 'one' } });
    expect(await stores.claims.findLast(request('nonce/2'))).toBeNull();
  });

  test('go to one of two payments in two processes, and the other one gets none', async () => {
    const stores = await accepted('one', 'two');
    const claims = { one: stores.claims, two: new Claims(stores.journal, stores.streams, stores.clock) };
    const wanted = {
      one: [purchase('job/1'), request('nonce/1')],
      two: [purchase('job/2'), request('nonce/1'), request('key/2')],
    };
    const acquire = (payment: 'one' | 'two') =>
      claims[payment].acquireAll(wanted[payment], paying(payment), stores.request(ONE));
    const [one, two] = await Promise.all([acquire('one'), acquire('two')]);
    const [winner, loser] = one === null ? (['one', 'two'] as const) : (['two', 'one'] as const);
    expect([one, two].filter(conflict => conflict === null)).toHaveLength(1);
    expect(one ?? two).toMatchObject({ subject: request('nonce/1'), claim: { data: { payment: winner } } });
    expect(await stores.claims.findLast(wanted[loser][0]!)).toBeNull();
  });

  test('are all taken over from a payment that was refused', async () => {
    const stores = await accepted('one', 'two');
    const subjects = [purchase('job/1'), request('nonce/1')];
    await stores.claims.acquireAll(subjects, paying('one'), stores.request(ONE));
    expect(await stores.claims.acquireAll([subjects[1]!], paying('two'), stores.request(ONE))).not.toBeNull();
    await stores.journal.append(
      Payment.streamName('one'),
      'any',
      asEvents([told('PaymentRefused')], Payment.streamName('one')).map(event => ({ ...event, id: 'refused' })),
    );
    expect(await stores.claims.acquireAll(subjects, paying('two'), stores.request(ONE))).toBeNull();
    for (const subject of subjects)
      expect(await stores.claims.findLast(subject)).toMatchObject({ data: { payment: 'two' } });
  });

  test('take one append for each of fifty concurrent payments', async () => {
    const payments = Array.from({ length: 50 }, (_, n) => `payment ${n}`);
    const stores = await accepted(...payments);
    const acquired = payments.map(payment =>
      stores.claims.acquireAll([request(payment)], paying(payment), stores.request(ONE)),
    );
    expect(await Promise.all(acquired)).toEqual(payments.map(() => null));
    expect(stores.types(stores.streams.of(request('any')))).toHaveLength(payments.length);
  });
});
