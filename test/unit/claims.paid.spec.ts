import { describe, expect, test } from '@jest/globals';
import type { ClaimSubject } from '#libs/claims/claim-streams.js';
import { UNFINISHED_CLAIM_MS } from '#libs/claims/claims.js';
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

describe('a claim finished by a payment', () => {
  const PAYMENT = (told('PaymentAccepted').data as { payment: string }).payment;
  const purchase: ClaimSubject = { kind: 'purchase', value: `job/1` };
  const request: ClaimSubject = { kind: 'request', value: 'nonce/1' };
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
